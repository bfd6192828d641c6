internal import ArgumentParser
internal import Glibc
internal import StepperClient
internal import StepperConfiguration
internal import StepperCore
internal import StepperLinux
internal import StepperText

/// The configuration that an argument names.
enum ConfigurationArgument {
  case file(InputFile)
  /// The configuration that stepperd uses without a file.
  case builtIn

  /// `argument` is a file, `-`, or nil for the configuration that the daemon of this user reads, else that of the system.
  init(_ argument: String?) {
    let path = argument ?? Self.defaults.first { unsafe access($0, F_OK) == 0 }
    self = path.map { .file(InputFile($0)) } ?? .builtIn
  }

  private static var defaults: [String] {
    let own = "stepperd/stepperd.toml"
    let system = "/etc/stepperd/stepperd.toml"
    if let base = StepperAddress.environmentValue("XDG_CONFIG_HOME"), !base.isEmpty {
      return ["\(base)/\(own)", system]
    }
    return [StepperAddress.environmentValue("HOME").map { "\($0)/.config/\(own)" }, system].compactMap { $0 }
  }

  /// The name of it in messages.
  var name: String {
    switch self {
    case .file(let file): file.name
    case .builtIn: "the built-in configuration"
    }
  }

  /// The whole text. Throws if it cannot be read or is longer than `ConfigurationLimit.fileBytes`.
  func bytes() throws(CommandFailure) -> [UInt8] {
    guard case .file(let file) = self else { return Array(Configuration.embeddedText.utf8) }
    let limit = ConfigurationLimit.fileBytes
    var bytes: [UInt8] = []
    try file.read { piece throws(CommandFailure) in
      bytes += piece
      guard bytes.count <= limit else {
        throw CommandFailure(
          message: "\(name) is longer than \(limit) bytes, the most that is allowed", code: .configuration)
      }
      return true
    }
    return bytes
  }

  /// The configuration of `bytes` from the file of this name. Throws `heading` and the errors of it, a line each.
  static func load(
    _ bytes: [UInt8], file: String, orSay heading: [String] = []
  ) throws(CommandFailure) -> Configuration {
    let (configuration, problems) = Configuration.load(
      bytes, file: file, resolvingCode: CodeNames.kernel.resolve, knownCodes: EvdevUsage.allNames)
    if let configuration { return configuration }
    let errors = problems.filter { $0.severity == .error }.map(\.description)
    throw CommandFailure(lines: heading + errors, code: .configuration)
  }
}

extension EngineConfiguration {
  /// What the engine needs of a whole configuration.
  init(_ configuration: Configuration) {
    self.init(
      controls: configuration.controls.map(\.settings), devices: configuration.devices.map(\.settings),
      idleAfter: configuration.daemon.idleAfter)
  }
}
