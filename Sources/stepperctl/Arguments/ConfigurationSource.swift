internal import ArgumentParser
internal import Glibc
internal import StepperClient
internal import StepperConfiguration

/// Where a configuration comes from.
enum ConfigurationSource {
  case standardInput
  case file(String)
  /// The configuration that stepperd uses without a file.
  case builtIn

  /// `argument` is a file, `-`, or nil for the configuration that the daemon of this user reads, else that of the system.
  init(_ argument: String?) {
    switch argument {
    case "-": self = .standardInput
    case let path?: self = .file(path)
    case nil: self = Self.defaults.first { unsafe access($0, F_OK) == 0 }.map { .file($0) } ?? .builtIn
    }
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
    case .standardInput: "<stdin>"
    case .file(let path): path
    case .builtIn: "the built-in configuration"
    }
  }

  /// The whole text. Throws if it cannot be read or is longer than `ConfigurationLimit.fileBytes`.
  func bytes() throws(CommandFailure) -> [UInt8] {
    switch self {
    case .builtIn: return Array(Configuration.embeddedText.utf8)
    case .standardInput: return try content(of: STDIN_FILENO)
    case .file(let path):
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw failure }
      defer { close(descriptor) }
      return try content(of: descriptor)
    }
  }

  private func content(of descriptor: CInt) throws(CommandFailure) -> [UInt8] {
    let limit = ConfigurationLimit.fileBytes
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= limit else {
        throw CommandFailure(
          message: "\(name) is longer than \(limit) bytes, the most that is allowed", code: .configuration)
      }
    }
  }

  private var failure: CommandFailure {
    let reason = unsafe String(cString: strerror(errno))
    return CommandFailure(message: "cannot read \(name): \(reason)", code: .failure)
  }
}
