import StepperCore
import StepperInterfaces
import Varlink

/// The states of controls as they are sent, each encoded once after a change, whoever wants it.
struct EncodedStates {
  private struct Entry {
    /// The change that it was encoded after; 0: none.
    var sequence: Int64 = 0
    var json: [UInt8] = []
  }

  /// By the place of the control in its configuration.
  private var entries: [Entry] = []

  /// Call it when something else than the states has changed that they are encoded from.
  mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

  /// Appends the state of a control after its change `sequence`, which `state` makes if it is not encoded yet.
  mutating func append(
    _ control: ControlID, at sequence: Int64, to buffer: inout [UInt8], state: () -> ControlInterface.State
  ) throws(VarlinkMessageError) {
    while entries.count <= control.index { entries.append(Entry()) }
    if entries[control.index].sequence != sequence {
      // Until it is complete it is none.
      entries[control.index].sequence = 0
      entries[control.index].json.removeAll(keepingCapacity: true)
      try state().appendJSON(to: &entries[control.index].json)
      entries[control.index].sequence = sequence
    }
    buffer.append(contentsOf: entries[control.index].json)
  }
}
