package import StepperCore
import TOMLKit

extension Configuration {
  /// What stepperd does without a file; see `default.toml`.
  package static var embeddedText: String { String(decoding: PackageResources.default_toml, as: UTF8.self) }

  /// A longer file is no configuration.
  static let largestFile = 1 << 20

  /// Reads TOML. The configuration is nil if any of the problems is an error; all of them are found at once
  /// and are in the order of the file.
  ///
  /// Messages call it `file`. `resolvingCode` gives the usage of a key or axis by its evdev name, such as
  /// `REL_DIAL`; `knownCodes` are the names to suggest for misspelt ones. The profiles `known` are there
  /// beside its own.
  package static func load(
    _ text: String, file: String, resolvingCode: (String) -> EvdevUsage?, knownCodes: [String],
    known: [Profile] = Profile.builtIn
  ) -> (configuration: Configuration?, problems: [ConfigurationProblem]) {
    let (configuration, problems) = read(
      text, file: file, resolvingCode: resolvingCode, knownCodes: knownCodes
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
    let (profiles, problems) = read(text, file: file, resolvingCode: { _ in nil }, knownCodes: []) {
      reader, document in
      guard case .table(let tables) = document, let node = tables[RootKey.profile.rawValue] else {
        return known
      }
      let path = ValuePath.root[RootKey.profile.rawValue]
      return reader.profiles(.init(path: path, node: node), known: known)
    }
    return (profiles ?? known, problems)
  }

  /// Parses `text` and has `body` read it; nil if it is no TOML.
  private static func read<Result>(
    _ text: String, file: String, resolvingCode: (String) -> EvdevUsage?, knownCodes: [String],
    _ body: (inout ConfigurationReader, DocumentNode) -> Result
  ) -> (result: Result?, problems: [ConfigurationProblem]) {
    withoutActuallyEscaping(resolvingCode) { resolve in
      guard text.utf8.count <= largestFile else {
        let message = "is \(text.utf8.count) bytes long; at most \(largestFile) are allowed"
        return (nil, [ConfigurationProblem(file: file, keyPath: "", message: message)])
      }
      let map = SourceMap(text)
      if let (obstacle, position) = map.obstacle {
        let message =
          switch obstacle {
          case .nul: "must not contain a NUL character"
          case .nesting: "is nested too deeply"
          case .noValue: "is not valid TOML: there is no value here"
          case .noKey: "is not valid TOML: there is no name of a table here"
          }
        let problem = ConfigurationProblem(
          file: file, keyPath: "", line: position.line, column: position.column, message: message)
        return (nil, [problem])
      }
      do {
        let table = try TOMLTable(string: text)
        var reader = ConfigurationReader(
          file: file, map: map, codes: .init(names: knownCodes, resolve: resolve))
        let result = body(&reader, DocumentNode(table, at: .root, in: map))
        return (result, reader.sortedProblems)
      } catch {
        return (nil, [ConfigurationProblem(file: file, error)])
      }
    }
  }
}

extension ConfigurationProblem {
  /// What keeps the text from being TOML.
  fileprivate init(file: String, _ error: any Error) {
    guard let error = error as? TOMLParseError else {
      self.init(file: file, keyPath: "", message: "is not valid TOML: \(error)")
      return
    }
    self.init(
      file: file, keyPath: "", line: error.source.begin.line, column: error.source.begin.column,
      message: "is not valid TOML: \(onOneLine(error.description))")
  }
}

/// `text` with every control character escaped: it may quote what it found.
private func onOneLine(_ text: String) -> String {
  text.unicodeScalars.reduce(into: "") { result, scalar in
    let isControl = scalar.properties.generalCategory == .control
    result += isControl ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
  }
}

extension ConfigurationReader {
  static let mostControls = 256
  static let mostDevices = 64

  mutating func configuration(_ document: DocumentNode, known: [Profile]) -> Configuration {
    var result = Configuration()
    guard let root = section(document, at: .root, of: RootKey.self) else { return result }
    if let item = root[.daemon] { result.daemon = daemon(item) }
    if let item = root[.device] {
      let tables = namedTables(
        item, at: Self.mostDevices, allowed: "lower-case letters, digits, - and _",
        isAllowed: isDeviceNameByte)
      result.devices = tables.compactMap { device(named: $0.name, $0.node, at: $0.path) }
    }
    var profiles = known
    if let item = root[.profile] { profiles = self.profiles(item, known: known) }
    result.profiles = Array(profiles.dropFirst(known.count))
    if let item = root[.control] {
      let tables = namedTables(
        item, at: Self.mostControls, allowed: "lower-case letters, digits, ., - and _"
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
    // The longest path that a socket's address holds.
    settings.socketPath = absolutePath(section, .socket, upTo: 107)
    settings.socketGroup = text(section, .socketGroup, upTo: 32)
    settings.adminGroup = text(section, .adminGroup, upTo: 32)
    settings.stateDirectory = absolutePath(section, .stateDirectory, upTo: 1_024)
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
