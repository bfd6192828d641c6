package import StepperText

extension Configuration {
  /// The built-in configuration; see `default.toml`.
  // Its own resource.
  package static var embeddedText: String { String(decoding: PackageResources.default_toml, as: UTF8.self) }

  /// Reads a file, which may be no text at all, as TOML. The configuration is nil if any of the problems is an
  /// error; all of them are found at once and are in the order of the file, but what is no TOML hides what else is
  /// wrong, and of more problems than ``ConfigurationLimit/problems`` the last one gives the number.
  ///
  /// It takes time and memory in the size of the text, whatever is in it.
  ///
  /// `programProblem` returns why a program, a path or a name to be looked up, cannot be started, as the rest of a
  /// sentence; nil: it can.
  ///
  /// Messages call it `file`. The profiles `known` are there beside those that come with stepperd and its own.
  package static func load(
    _ bytes: [UInt8], file: String, codes: CodeNames = .none, known: [Profile] = [],
    programProblem: @escaping (String) -> String? = { _ in nil }
  ) -> (configuration: Configuration?, problems: [ConfigurationProblem]) {
    let reader = ConfigurationReader(
      codes: codes, known: known, commands: CommandReader(programProblem: programProblem))
    let (configuration, problems) = readSound(bytes, file: file, reader.configuration)
    return (configuration, problems)
  }

  /// The profiles that a control of a configuration can name, whatever else is in it or wrong with it: those that come
  /// with stepperd, and then its own.
  package static func profiles(
    in bytes: [UInt8], file: String
  ) -> (profiles: [Profile], problems: [ConfigurationProblem]) {
    let (own, problems) = profiles(bytes, file: file, ProfileReader())
    return (Profile.builtIn + own, problems)
  }

  /// The profiles of a file that comes with stepperd.
  static func builtInProfiles(
    _ bytes: [UInt8], file: String
  ) -> (profiles: [Profile], problems: [ConfigurationProblem]) {
    profiles(bytes, file: file, ProfileReader(isBuiltIn: true))
  }

  private static func profiles(
    _ bytes: [UInt8], file: String, _ reader: ProfileReader
  ) -> (profiles: [Profile], problems: [ConfigurationProblem]) {
    let (profiles, problems) = read(bytes, file: file) { root in
      root[.profile].map { reader.profiles($0).own } ?? []
    }
    return (profiles ?? [], problems)
  }

  /// As ``read(_:file:_:)``, and nil too if one of the problems is an error.
  static func readSound<Result>(
    _ bytes: [UInt8], file: String, _ body: (ConfigurationValue) -> Result
  ) -> (result: Result?, problems: [ConfigurationProblem]) {
    let (result, problems) = read(bytes, file: file, body)
    return (problems.contains { $0.severity == .error } ? nil : result, problems)
  }

  /// Parses `bytes` and passes the document to `body`; nil if it is not TOML.
  package static func read<Result>(
    _ bytes: [UInt8], file: String, _ body: (ConfigurationValue) -> Result
  ) -> (result: Result?, problems: [ConfigurationProblem]) {
    guard bytes.count <= ConfigurationLimit.fileBytes else {
      let message = "is \(bytes.count) bytes long; at most \(ConfigurationLimit.fileBytes) are allowed"
      return (nil, [ConfigurationProblem(file: file, message: message)])
    }
    let document = Document(bytes)
    let problems = ProblemList(file: file, document)
    guard document.errors.isEmpty else {
      problems.reportSyntaxErrors()
      return (nil, problems.sorted)
    }
    let result = body(ConfigurationValue(node: .table(document.root), path: .root, problems: problems))
    return (result, problems.sorted)
  }
}

extension ConfigurationValue {
  /// A table of the document that this is.
  subscript(root: RootKey) -> ConfigurationValue? {
    entries().first { $0.key.isExactly(root.rawValue) }?.value
  }
}
