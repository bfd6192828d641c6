import StepperConfiguration
import StepperCore
import StepperInterfaces
import Varlink

/// A control of the configuration in force, as the daemon and its clients see it.
///
/// What is large is constant: it is read where it is, and never copied. After an adjustment there is a new entry.
final class ControlEntry {
  let id: ControlID
  let configuration: ControlConfiguration
  /// As `Adjust` has changed them since the control was configured.
  let adjustedSettings: ControlSettings
  /// What was published last.
  var state: ControlState { didSet { json.removeAll(keepingCapacity: true) } }
  /// ``state`` as it is sent; empty until somebody wants it.
  private var json: [UInt8] = []

  init(
    _ id: ControlID, _ configuration: ControlConfiguration, adjusted: ControlSettings, _ state: ControlState
  ) {
    self.id = id
    self.configuration = configuration
    adjustedSettings = adjusted
    self.state = state
  }

  /// Appends the state as a message has it. It is encoded once after a change, whoever wants it.
  func appendState(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
    if json.isEmpty {
      do throws(VarlinkMessageError) {
        try ControlInterface.State(state, adjustedSettings).appendJSON(to: &json)
      } catch {
        json = []
        throw error
      }
    }
    buffer.append(contentsOf: json)
  }

  /// In place of a control of a former configuration: the defaults, without a name and unset.
  static func former(_ id: ControlID, at now: Instant) -> ControlEntry {
    let settings = ControlSettings(name: "")
    return ControlEntry(
      id, ControlConfiguration(settings: settings), adjusted: settings,
      ControlState(control: id, origin: .configuration, time: now))
  }
}
