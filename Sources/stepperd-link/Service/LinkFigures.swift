internal import StepperCore
internal import StepperInterfaces

/// The counts and measurements of a link.
struct LinkFigures {
  var name: String
  /// When the link was connected, in seconds since 1970; nil: it is not connected.
  var connectedSince: Int64?
  var counts: LinkCounts

  private static var families: [MetricFamily<Self>] {
    [
      .gauge("linkConnected", "Whether both sides of the link are connected") {
        $0.connectedSince == nil ? 0 : 1
      },
      .gauge("linkConnectedSinceSeconds", "When they were connected, since 1970; 0: they are not") {
        $0.connectedSince ?? 0
      },
      .counter("linkStarts", "Starts of the program that serves the outside") { $0.counts.starts },
      .counter("linkWrites", "Values that the outside has taken") { $0.counts.writes },
      .time("linkWriteSeconds", "Time that it has taken for them", type: .counter) { $0.counts.writeTime },
      .counter("linkRefusals", "Values that the daemon has refused") { $0.counts.refusals },
    ]
  }

  static func metrics(of links: [Self]) -> [ManagerInterface.Metric] {
    families.flatMap { family in links.flatMap { family.metrics(of: $0, object: $0.name) } }
  }
}
