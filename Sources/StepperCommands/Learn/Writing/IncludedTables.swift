internal import StepperConfiguration
internal import StepperCore
internal import StepperLinux

/// The devices and controls of the included file. `learn` changes only the including configuration.
struct IncludedTables {
  /// The path of the included file; empty if there is none.
  private var file = ""
  private(set) var devices: Set<String> = []
  private(set) var controls: Set<String> = []

  init() {}

  /// `used` are the controls of the daemon that uses the configuration, because the daemon may be able to read files
  /// that this program cannot. `used` is empty if the daemon uses another configuration.
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
