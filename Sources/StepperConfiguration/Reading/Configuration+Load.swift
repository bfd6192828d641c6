package import StepperText

extension Configuration {
  /// The built-in configuration; see `default.toml`.
  // The text is a resource of this package.
  package static var embeddedText: String { String(decoding: PackageResources.default_toml, as: UTF8.self) }

  /// Reads a file, whose bytes may be arbitrary, as TOML. The configuration is nil if any problem is an error. All
  /// problems are found at once and are in the order of the file, except that violations of TOML hide other problems.
  /// Beyond ``ConfigurationLimit/problems`` the last one gives the number of the rest.
  ///
  /// Time and memory are proportional to the size of the text, whatever its content.
  ///
  /// `programProblem` takes the path of a program, or a name to look up, and returns why it cannot be started, as the
  /// rest of a sentence; nil if it can.
  ///
  /// Messages call the file `file`. Its controls can use the profiles `known` beside the built-in ones and its own.
  package static func load(
    _ bytes: [UInt8], file: String, codes: CodeNames = .none, known: [Profile] = [],
    programProblem: @escaping (String) -> String? = { _ in nil }
  ) -> (configuration: Configuration?, problems: [ConfigurationProblem]) {
    let reader = ConfigurationReader(
      codes: codes, known: known, commands: CommandReader(programProblem: programProblem))
    let (configuration, problems) = readSound(bytes, file: file, reader.configuration)
    return (configuration, problems)
  }

  /// The profiles that a control of a configuration can name: the built-in ones, then the configuration's own. Problems
  /// elsewhere in the configuration do not matter.
  package static func profiles(
    in bytes: [UInt8], file: String
  ) -> (profiles: [Profile], problems: [ConfigurationProblem]) {
    let (own, problems) = profiles(bytes, file: file, ProfileReader())
    return (Profile.builtIn + own, problems)
  }

  static func profiles(
    _ bytes: [UInt8], file: String, _ reader: ProfileReader
  ) -> (profiles: [Profile], problems: [ConfigurationProblem]) {
    let (profiles, problems) = read(bytes, file: file) { root in
      root[.profile].map { reader.profiles($0).own } ?? []
    }
    return (profiles ?? [], problems)
  }

  /// Like ``read(_:file:_:)``, but the result is also nil if any problem is an error.
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
  /// A top-level table, if this value is the document itself.
  subscript(root: RootKey) -> ConfigurationValue? {
    entries().first { $0.key.isExactly(root.rawValue) }?.value
  }
}
