package import StepperCore

extension Configuration {
  /// What stepperd does without a file; see `default.toml`.
  package static var embeddedText: String { String(decoding: PackageResources.default_toml, as: UTF8.self) }

  /// Reads TOML. The configuration is nil if any of the problems is an error; all of them are found at once
  /// and are in the order of the file, but what is no TOML hides what else is wrong, and of more problems than
  /// ``ConfigurationLimit/problems`` the last one tells the number.
  ///
  /// It takes time and memory in the size of the text, whatever is in it.
  ///
  /// Messages call it `file`. `resolvingCode` gives the usage of a key or axis by its evdev name, such as
  /// `REL_DIAL`; `knownCodes` are the names to suggest for misspelt ones. The profiles `known` are there
  /// beside its own.
  package static func load(
    _ text: String, file: String, resolvingCode: (String) -> EvdevUsage?, knownCodes: [String],
    known: [Profile] = Profile.builtIn
  ) -> (configuration: Configuration?, problems: [ConfigurationProblem]) {
    load(
      Array(text.utf8), file: file, resolvingCode: resolvingCode, knownCodes: knownCodes, known: known)
  }

  /// The same of the bytes of a file, which may be no text at all.
  package static func load(
    _ bytes: [UInt8], file: String, resolvingCode: (String) -> EvdevUsage?, knownCodes: [String],
    known: [Profile] = Profile.builtIn
  ) -> (configuration: Configuration?, problems: [ConfigurationProblem]) {
    let (configuration, problems) = read(
      bytes, file: file, resolvingCode: resolvingCode, knownCodes: knownCodes
    ) { reader, document in reader.configuration(document, known: known) }
    return (problems.contains { $0.severity == .error } ? nil : configuration, problems)
  }

  /// The profiles of a configuration, whatever else is in it or wrong with it: the built-in ones and then its
  /// own.
  package static func profiles(
    in text: String, file: String
  ) -> (profiles: [Profile], problems: [ConfigurationProblem]) {
    let (profiles, problems) = profiles(in: text, file: file, known: Profile.builtIn)
    return (profiles, problems)
  }

  static func profiles(
    in text: String, file: String, known: [Profile]
  ) -> (profiles: [Profile], problems: [ConfigurationProblem]) {
    let (profiles, problems) = read(Array(text.utf8), file: file, resolvingCode: { _ in nil }, knownCodes: [])
    {
      reader, document in
      guard let node = document[RootKey.profile.rawValue] else { return known }
      let path = ValuePath.root[RootKey.profile.rawValue]
      return reader.profiles(.init(path: path, node: node), known: known)
    }
    return (profiles ?? known, problems)
  }

  /// Parses `bytes` and has `body` read it; nil if it is no TOML.
  private static func read<Result>(
    _ bytes: [UInt8], file: String, resolvingCode: (String) -> EvdevUsage?, knownCodes: [String],
    _ body: (inout ConfigurationReader, DocumentTable) -> Result
  ) -> (result: Result?, problems: [ConfigurationProblem]) {
    guard bytes.count <= ConfigurationLimit.fileBytes else {
      let message = "is \(bytes.count) bytes long; at most \(ConfigurationLimit.fileBytes) are allowed"
      return (nil, [ConfigurationProblem(file: file, keyPath: "", message: message)])
    }
    return withoutActuallyEscaping(resolvingCode) { resolve in
      let document = Document(bytes)
      var reader = ConfigurationReader(
        file: file, document, codes: .init(names: knownCodes, resolve: resolve))
      guard document.errors.isEmpty else {
        reader.reportSyntaxErrors()
        return (nil, reader.sortedProblems)
      }
      let result = body(&reader, document.root)
      return (result, reader.sortedProblems)
    }
  }
}

extension ConfigurationReader {
  mutating func configuration(_ document: DocumentTable, known: [Profile]) -> Configuration {
    var result = Configuration()
    guard let root = section(.table(document), at: .root, of: RootKey.self) else { return result }
    if let item = root[.daemon] { result.daemon = daemon(item) }
    if let item = root[.device] {
      let tables = namedTables(
        item, at: ConfigurationLimit.devices, allowed: "lower-case letters, digits, - and _",
        isAllowed: isDeviceNameByte)
      result.devices = tables.compactMap { device(named: $0.name, $0.node, at: $0.path) }
    }
    var profiles = known
    if let item = root[.profile] { profiles = self.profiles(item, known: known) }
    result.profiles = Array(profiles.dropFirst(known.count))
    if let item = root[.control] {
      let tables = namedTables(
        item, at: ConfigurationLimit.controls, allowed: "lower-case letters, digits, ., - and _"
      ) { isDeviceNameByte($0) || $0 == UInt8(ascii: ".") }
      result.controls = tables.compactMap {
        control(named: $0.name, $0.node, at: $0.path, result.devices, profiles)
      }
    }
    guard !hasErrors else { return result }
    if result.controls.isEmpty {
      report("there is no [control.NAME], so there is nothing to turn", at: .root, severity: .warning)
    }
    warnOfIdleDevices(in: result)
    return result
  }

  private mutating func warnOfIdleDevices(in configuration: Configuration) {
    let used = Set(
      configuration.controls.flatMap { control in
        control.settings.bindings.map(\.input.device) + (control.outputs + control.lights).map(\.device)
      })
    for device in configuration.devices where !used.contains(device.settings.name) {
      report(
        "no control uses this device", at: ValuePath.root["device"][device.settings.name], .key,
        severity: .warning)
    }
  }

  private mutating func daemon(_ item: Section<RootKey>.Item) -> DaemonSettings {
    var settings = DaemonSettings()
    guard let section = section(item.node, at: item.path, of: DaemonKey.self) else { return settings }
    settings.socketPath = absolutePath(section, .socket, upTo: ConfigurationLimit.socketPathBytes)
    settings.socketGroup = text(section, .socketGroup, upTo: ConfigurationLimit.groupBytes)
    settings.adminGroup = text(section, .adminGroup, upTo: ConfigurationLimit.groupBytes)
    settings.stateDirectory = absolutePath(section, .stateDirectory, upTo: ConfigurationLimit.pathBytes)
    if let level = word(section, .logLevel, of: DaemonSettings.LogLevel.self) { settings.logLevel = level }
    if let time = duration(section, .saveAfter, in: .zero ... .seconds(3_600)) { settings.saveAfter = time }
    if let time = duration(section, .saveInterval, in: .zero ... .seconds(86_400)) {
      settings.saveInterval = time
    }
    return settings
  }
}

func isDeviceNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
    UInt8(ascii: "-"):
    true
  default: false
  }
}
