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

  /// `argument` is a file or `-`; nil: the file of this user's daemon, else that of the system service, else the built-in one.
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

  /// Its name in messages.
  var name: String {
    switch self {
    case .file(let file): file.name
    case .builtIn: "the built-in configuration"
    }
  }

  /// Throws if it cannot be read or is longer than `ConfigurationLimit.fileBytes`.
  func bytes() throws(CommandFailure) -> [UInt8] {
    guard case .file(let file) = self else { return Array(Configuration.embeddedText.utf8) }
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

  /// The configuration of `bytes`, the content of `file`. Throws `heading` and its errors, a line each.
  static func load(
    _ bytes: [UInt8], file: String, heading: [String] = []
  ) throws(CommandFailure) -> Configuration {
    let (configuration, problems) = check(bytes, file: file)
    if let configuration { return configuration }
    let errors = problems.filter { $0.severity == .error }.map(\.description)
    throw CommandFailure(lines: heading + errors, code: .configuration)
  }

  /// Reads it with the kernel's names of keys and axes.
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
