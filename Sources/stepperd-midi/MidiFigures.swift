internal import StepperInterfaces
internal import StepperProgram

/// What it counts.
struct MidiFigures: BridgeFigures {
  struct Port: Equatable {
    var name: String
    var isTrouble: Bool
    var messages: Int64
  }

  var isOpen: Bool
  var ports: [Port]

  var metrics: [ManagerInterface.Metric] {
    [
      ManagerInterface.Metric(
        name: "midiSequencer", type: .gauge, description: "Whether the kernel's sequencer of MIDI is open",
        value: isOpen ? 1 : 0)
    ]
      + ports.flatMap { port in
        [
          ManagerInterface.Metric(
            name: "midiConnected", type: .gauge,
            description:
              "0 if stepperd does not have the port as a device although something was found on it",
            object: port.name, value: port.isTrouble ? 0 : 1),
          ManagerInterface.Metric(
            name: "midiMessages", type: .counter, description: "Messages of the port that were read",
            object: port.name, value: Double(port.messages)),
        ]
      }
  }
}
