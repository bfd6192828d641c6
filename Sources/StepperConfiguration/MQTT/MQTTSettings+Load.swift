import StepperCore

extension MQTTSettings {
  /// Reads only the table `[mqtt]` of a configuration file, whose bytes may be arbitrary. The settings are nil if the
  /// table is absent or any problem is an error. Messages call the file `file`.
  package static func load(
    _ bytes: [UInt8], file: String
  ) -> (settings: MQTTSettings?, problems: [ConfigurationProblem]) {
    let (result, problems) = Configuration.readSound(bytes, file: file) { document -> MQTTSettings? in
      var settings = document[.mqtt].flatMap { $0.mqtt() }
      settings?.noteControls(document, bytes)
      settings?.noteIncluded(document)
      return settings
    }
    return (result ?? nil, problems)
  }

  /// Notes the controls that have `bounds = "advisory"`, themselves or by their profile, and the controls whose presses
  /// are distinguished, as ``PushReader`` decides it.
  private mutating func noteControls(_ document: ConfigurationValue, _ bytes: [UInt8]) {
    let profiles = Configuration.profiles(in: bytes, file: "").profiles
    let advisory = profiles.filter { $0.draft.settings.feel.bounds == .advisory }.map(\.name)
    for entry in document.node.table?[RootKey.control]?.table?.entries ?? [] {
      guard let control = entry.node.table else { continue }
      let profile = control[ControlKey.profile]?.text ?? Profile.standardName
      if control[OptionKey.bounds]?.text.map({ $0 == "advisory" }) ?? advisory.contains(profile) {
        advisoryControls.insert(entry.key)
      }
      let push = control[ControlKey.push]?.table
      if push?[PushKey.delay] != nil { longPressControls.insert(entry.key) }
      let hooks = [control[ControlKey.onDoublePress], control[ControlKey.onTriplePress]]
      if push?[PushKey.multiPress] != nil || hooks.contains(where: { $0 != nil }) {
        doublePressControls.insert(entry.key)
      }
    }
  }

  /// Notes the file for a configuration that is sent through the broker.
  private mutating func noteIncluded(_ document: ConfigurationValue) {
    includedFile = document.node.table?[RootKey.daemon]?.table?[DaemonKey.include]?.text
    guard configKeyFile != nil, includedFile == nil else { return }
    document[.mqtt]?.report(
      "config-key-file needs include = \"PATH\" in [daemon]: the file for the configuration that is sent")
  }
}
