import StepperCore

extension MQTTSettings {
  /// Reads the table of a configuration file, which may be no text at all, and nothing else of it. The settings are nil
  /// if there is no such table, or one of the problems is an error. Messages call the file `file`.
  package static func load(
    _ bytes: [UInt8], file: String
  ) -> (settings: MQTTSettings?, problems: [ConfigurationProblem]) {
    let (result, problems) = Configuration.readSound(bytes, file: file) { document -> MQTTSettings? in
      guard let value = document[.mqtt] else { return nil }
      var settings = MQTTReader().settings(value)
      settings?.advisoryControls = advisoryControls(document, bytes)
      settings?.notePresses(document)
      settings?.noteIncluded(document)
      return settings
    }
    return (result ?? nil, problems)
  }

  /// The controls with `bounds = "advisory"`, or with a profile that has it.
  private static func advisoryControls(_ document: ConfigurationValue, _ bytes: [UInt8]) -> Set<String> {
    let profiles = Configuration.profiles(in: bytes, file: "").profiles
    let advisory = profiles.filter { $0.draft.settings.feel.bounds == .advisory }.map(\.name)
    var names: Set<String> = []
    for (name, control) in document.controls {
      let profile = control[ControlKey.profile.rawValue]?.text ?? Profile.standardName
      let bounds = control[OptionKey.bounds.rawValue]?.text
      if bounds.map({ $0 == "advisory" }) ?? advisory.contains(profile) { names.insert(name) }
    }
    return names
  }

  /// Where a configuration is put that was sent.
  private mutating func noteIncluded(_ document: ConfigurationValue) {
    includedFile = document.includedFile
    guard configKeyFile != nil, includedFile == nil else { return }
    document[.mqtt]?.report(
      "config-key-file needs include = \"PATH\" in [daemon]: the file for the configuration that is sent")
  }

  /// As `PushReader` understands them.
  private mutating func notePresses(_ document: ConfigurationValue) {
    for (name, control) in document.controls {
      var push: DocumentTable?
      if case .table(let table)? = control[ControlKey.push.rawValue] { push = table }
      let hooks = [ControlKey.onDoublePress, .onTriplePress]
      if push?[PushKey.delay.rawValue] != nil { longPressControls.insert(name) }
      if push?[PushKey.multiPress.rawValue] != nil || hooks.contains(where: { control[$0.rawValue] != nil }) {
        doublePressControls.insert(name)
      }
    }
  }
}

extension ConfigurationValue {
  private var table: DocumentTable? { if case .table(let table) = node { table } else { nil } }

  /// The tables `[control.NAME]`.
  fileprivate var controls: [(name: String, table: DocumentTable)] {
    guard case .table(let tables)? = table?[RootKey.control.rawValue] else { return [] }
    return tables.entries.compactMap { entry in
      if case .table(let control) = entry.node { (entry.key, control) } else { nil }
    }
  }
}

extension ConfigurationValue {
  fileprivate var includedFile: String? {
    guard case .table(let daemon)? = table?[RootKey.daemon.rawValue] else { return nil }
    return daemon[DaemonKey.include.rawValue]?.text
  }
}

extension DocumentNode {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
