internal import StepperInterfaces

/// The counts of the program.
struct MidiFigures {
  struct Port {
    var name: String
    var isTrouble: Bool
    var messages: Int64
  }

  var isOpen: Bool
  var ports: [Port]

  private static var families: [MetricFamily<Self>] {
    [.gauge("midiSequencer", "Whether the kernel's sequencer of MIDI is open") { $0.isOpen ? 1 : 0 }]
  }

  private static var familiesOfPorts: [MetricFamily<Port>] {
    [
      .gauge(
        "midiConnected",
        "0 if stepperd does not have the port as a device although something was found on it"
      ) { $0.isTrouble ? 0 : 1 },
      .counter("midiMessages", "Messages of the port that were read") { $0.messages },
    ]
  }

  var metrics: [ManagerInterface.Metric] {
    Self.families.flatMap { $0.metrics(of: self) }
      + ports.flatMap { port in Self.familiesOfPorts.flatMap { $0.metrics(of: port, object: port.name) } }
  }
}
