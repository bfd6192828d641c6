internal import ArgumentParser
internal import Glibc
internal import StepperClient
internal import StepperConfiguration
internal import StepperCore
internal import StepperLinux

enum ConfigurationArgument {
  case file(InputFile)
  /// The configuration of a daemon without a file.
  case builtIn

  /// `argument` is a file or `-`. If it is nil, the configuration is the file of this user's daemon, else that of the
  /// system service, else the built-in one.
  init(_ argument: String?) {
    let path =
      argument
      ?? [Self.userFile(), Self.systemFile].compactMap(\.self).first { unsafe access($0, F_OK) == 0 }
    self = path.map { .file(InputFile($0)) } ?? .builtIn
  }

  /// The file of the system service.
  static let systemFile = "/etc/stepperd/stepperd.toml"

  /// The file of a user's own daemon; nil without a home directory.
  static func userFile(
    _ environment: (_ name: String) -> String? = { StepperAddress.environmentValue($0) }
  ) -> String? {
    UserFolder.configuration.path(environment).map { "\($0)/stepperd.toml" }
  }

  /// The name of the configuration in messages.
  var name: String {
    switch self {
    case .file(let file): file.name
    case .builtIn: "the built-in configuration"
    }
  }

  /// The bytes of the configuration. Throws if the file cannot be read, is longer than `ConfigurationLimit.fileBytes`,
  /// or is a FIFO, which the daemon refuses too.
  func bytes() throws(CommandFailure) -> [UInt8] {
    guard case .file(let file) = self else { return Array(Configuration.embeddedText.utf8) }
    guard !file.isNamedFIFO else { throw CommandFailure("\(name) is a FIFO, not a file") }
    let limit = ConfigurationLimit.fileBytes
    var bytes: [UInt8] = []
    try file.read { piece throws(CommandFailure) in
      bytes += piece
      guard bytes.count <= limit else {
        throw CommandFailure(
          "\(name) is longer than \(limit) bytes, the most that is allowed", code: .configuration)
      }
      return true
    }
    return bytes
  }

  /// The configuration with the file that it includes, as the daemon reads them. The standard input cannot include a
  /// file.
  func complete(
    programProblem: @escaping (String) -> String? = { _ in nil }
  ) throws(CommandFailure) -> CompleteConfiguration {
    let isStandardInput = if case .file(let file) = self { file.isStandardInput } else { false }
    return CompleteConfiguration(
      try bytes(), file: name,
      including: { isStandardInput ? nil : try SmallFile.readIncluded($0, limit: $1) },
      check: { Self.check($0, file: $1, programProblem: programProblem) })
  }

  /// Prints on the standard error that the included file is left out, if there are reasons in `leftOut`.
  func report(_ leftOut: [ConfigurationProblem]) {
    guard !leftOut.isEmpty else { return }
    Output.error(lines: ["the file that \(name) includes is left out"] + leftOut.map(\.description))
  }

  /// The configuration in `bytes`, the content of `file`. If it has errors, throws `heading` and the errors, a line
  /// each.
  static func load(
    _ bytes: [UInt8], file: String, heading: [String] = []
  ) throws(CommandFailure) -> Configuration {
    let (configuration, problems) = check(bytes, file: file)
    guard let configuration else { throw failure(of: problems, heading: heading) }
    return configuration
  }

  /// `heading`, and the errors among `problems`, a line each.
  static func failure(of problems: [ConfigurationProblem], heading: [String] = []) -> CommandFailure {
    let errors = problems.filter { $0.severity == .error }.map(\.description)
    return CommandFailure(lines: heading + errors, code: .configuration)
  }

  /// Reads a configuration with the kernel's names of keys and axes.
  static func check(
    _ bytes: [UInt8], file: String, programProblem: @escaping (String) -> String? = { _ in nil }
  ) -> (configuration: Configuration?, problems: [ConfigurationProblem]) {
    Configuration.load(bytes, file: file, codes: .kernel, programProblem: programProblem)
  }
}

extension EngineConfiguration {
  /// The part of a configuration that the engine uses.
  init(_ configuration: Configuration) {
    self.init(
      controls: configuration.controls.map(\.settings), devices: configuration.devices.map(\.settings),
      idleAfter: configuration.daemon.idleAfter)
  }
}
