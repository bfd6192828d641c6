import StepperCore
import StepperText

/// Reads a document into a ``Configuration``. Each kind of table has a reader of its own.
struct ConfigurationReader {
  let codes: CodeNames
  /// Profiles beside those of the document and the built-in ones.
  let known: [Profile]
  let commands: CommandReader

  private var hooks: HookReader { HookReader(commands: commands) }

  func configuration(_ document: ConfigurationValue) -> Configuration {
    var result = Configuration()
    guard let root = document.section(of: RootKey.self) else { return result }
    if let value = root[.daemon] { result.daemon = daemon(value) }
    // The tables of other programs are only checked here.
    _ = root[.mqtt]?.mqtt()
    _ = root[.serial]?.serialPorts()
    _ = root[.midi]?.midiTables()
    let devices = root[.device]?.namedTables(upTo: ConfigurationLimit.devices) ?? []
    result.devices = devices.compactMap(DeviceReader(codes: codes).device)
    let profiles = root[.profile].map(ProfileReader(known: known).profiles) ?? ReadProfiles(own: known)
    result.profiles = Array(profiles.own.dropFirst(known.count))
    let reader = ControlReader(
      inputs: InputReader(devices: result.devices, codes: codes),
      outputs: OutputReader(devices: result.devices), profiles: profiles, hooks: hooks)
    let controls = root[.control]?.namedTables(upTo: ConfigurationLimit.controls, with: ".") ?? []
    let layers = LayerReader(controls.compactMap(reader.control), named: controls.map(\.name))
    result.controls = layers.controls
    for (control, group) in result.controls.shareGroupTitles() {
      root.problems.report(
        "the group \(quoted(group)) has another title in an earlier control, which is used",
        at: root.path[RootKey.control.rawValue][control][ControlKey.group.rawValue], severity: .warning)
    }
    let settings = result.controls.map(\.settings)
    let named = controls.map { name, _ in (name, settings.first { $0.name.isExactly(name) }) }
    result.links =
      root[.link].map(LinkReader(controls: named, commands: commands).links) ?? []
    if !root.hasErrors {
      warn(of: result, in: root)
      layers.warn()
    }
    return result
  }

  /// Warns about settings without an effect.
  private func warn(of configuration: Configuration, in root: Section<RootKey>) {
    if configuration.controls.isEmpty {
      root.problems.report(
        "no control is defined, and the file takes the place of the built-in configuration; add a table such as [control.volume]",
        at: root.path, severity: .warning)
    }
    let used = Set(
      configuration.controls.flatMap { control in
        control.settings.bindings.map(\.input.device) + (control.outputs + control.lights).map(\.device)
      })
    for device in configuration.devices where !used.contains(device.settings.name) {
      root.problems.report(
        "no control uses this device", at: root.path[RootKey.device.rawValue][device.settings.name], .key,
        severity: .warning)
    }
  }

  private func daemon(_ value: ConfigurationValue) -> DaemonSettings {
    var settings = DaemonSettings()
    guard let section = value.section(of: DaemonKey.self) else { return settings }
    section.read(into: &settings)
    settings.hooks = hooks.hooks(section)
    if settings.hooks.isEmpty, !section.hasErrors {
      section[.idleAfter]?.report(
        "has no effect without on-idle or on-active", .key, severity: .warning)
    }
    return settings
  }
}
