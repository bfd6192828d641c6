import StepperConfiguration
import StepperCore

/// A control of the configuration in force, as the daemon and its clients see it.
///
/// What is large is constant: it is read where it is, and never copied. After an adjustment there is a new entry.
final class ControlEntry {
  let id: ControlID
  let configuration: ControlConfiguration
  /// As `Adjust` has changed them since the control was configured.
  let adjustedSettings: ControlSettings
  /// What was published last.
  var state: ControlState

  init(
    _ id: ControlID, _ configuration: ControlConfiguration, adjusted: ControlSettings, _ state: ControlState
  ) {
    self.id = id
    self.configuration = configuration
    adjustedSettings = adjusted
    self.state = state
  }

  /// In place of a control of a former configuration: the defaults, without a name and unset.
  static func former(_ id: ControlID, at now: Instant) -> ControlEntry {
    let settings = ControlSettings(name: "")
    return ControlEntry(
      id, ControlConfiguration(settings: settings), adjusted: settings,
      ControlState(control: id, origin: .configuration, time: now))
  }
}
