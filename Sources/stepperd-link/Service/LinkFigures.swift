internal import StepperCore
internal import StepperInterfaces
internal import StepperProgram

/// What the links count and measure.
struct LinkFigures: BridgeFigures {
  struct Link: Equatable {
    var name: String
    /// Since when it is connected, in seconds since 1970; nil: it is not.
    var connectedSince: Int64?
    var counts: LinkCounts
  }
  var links: [Link]

  var metrics: [ManagerInterface.Metric] {
    func family(
      _ name: String, _ type: ManagerInterface.MetricType, _ description: String, _ value: (Link) -> Double
    ) -> [ManagerInterface.Metric] {
      links.map {
        .init(name: name, type: type, description: description, object: $0.name, value: value($0))
      }
    }
    return family("linkConnected", .gauge, "Whether both sides of the link are connected") {
      $0.connectedSince == nil ? 0 : 1
    }
      + family("linkConnectedSinceSeconds", .gauge, "When they were connected, since 1970; 0: they are not") {
        Double($0.connectedSince ?? 0)
      }
      + family("linkStarts", .counter, "Starts of the program that serves the outside") {
        Double($0.counts.starts)
      }
      + family("linkWrites", .counter, "Values that the outside has taken") { Double($0.counts.writes) }
      + family("linkWriteSeconds", .counter, "Time that it has taken for them") {
        Double($0.counts.writeTime.nanoseconds) / 1e9
      }
      + family("linkRefusals", .counter, "Values that the daemon has refused") {
        Double($0.counts.refusals)
      }
  }
}
