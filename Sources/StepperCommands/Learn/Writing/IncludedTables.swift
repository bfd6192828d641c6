internal import StepperConfiguration
internal import StepperCore
internal import StepperLinux

/// What the file has that a configuration includes: `learn` changes the configuration alone.
struct IncludedTables {
  /// Empty: it includes no file.
  private var file = ""
  private(set) var devices: Set<String> = []
  private(set) var controls: Set<String> = []

  init() {}

  /// `used` are the controls of the daemon that uses the configuration, which may read more than this program; empty:
  /// another one does.
  init(of target: ConfigurationTarget, _ former: Configuration, used: [String]) {
    guard let path = former.daemon.includedFile else { return }
    file = path
    let complete = CompleteConfiguration(
      target.bytes ?? [], file: target.path,
      including: { try SmallFile.readIncluded($0, limit: $1) },
      check: { ConfigurationArgument.check($0, file: $1) })
    let (all, own) = (complete.configuration ?? former, former)
    devices = Set(all.devices.map(\.settings.name)).subtracting(own.devices.map(\.settings.name))
    controls = Set(all.controls.map(\.settings.name) + used).subtracting(own.controls.map(\.settings.name))
  }

  /// Throws for a control that is in the file.
  func refuse(_ control: String) throws(CommandFailure) {
    guard controls.contains(control) else { return }
    throw CommandFailure(
      "\(control) is in \(file), which the configuration includes and learn does not change")
  }
}
