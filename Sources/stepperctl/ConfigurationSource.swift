internal import ArgumentParser
internal import Glibc
internal import StepperClient

/// Where the configuration to check comes from.
enum ConfigurationSource {
  case standardInput
  case file(String)

  /// `argument`: a file, `-`, or nil for the configuration that a daemon of this user, else the system's, reads.
  init(_ argument: String?) {
    switch argument {
    case "-": self = .standardInput
    case let path?: self = .file(path)
    case nil: self = .file(Self.defaults.first { unsafe access($0, R_OK) == 0 } ?? Self.system)
    }
  }

  private static let system = "/etc/stepperd/stepperd.toml"

  private static var defaults: [String] {
    let own = "stepperd/stepperd.toml"
    if let base = StepperAddress.environmentValue("XDG_CONFIG_HOME"), !base.isEmpty {
      return ["\(base)/\(own)", system]
    }
    return [StepperAddress.environmentValue("HOME").map { "\($0)/.config/\(own)" }, system].compactMap { $0 }
  }

  /// What problems call it.
  var name: String {
    switch self {
    case .standardInput: "<stdin>"
    case .file(let path): path
    }
  }

  /// All of its text.
  func read() throws -> String {
    guard case .file(let path) = self else { return try Self.text(of: STDIN_FILENO, name) }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(name) }
    defer { close(descriptor) }
    return try Self.text(of: descriptor, name)
  }

  private static func text(of descriptor: CInt, _ name: String) throws -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(name) }
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandFailure(message: "\(name) is not UTF-8", code: .configuration)
    }
    return text
  }

  private static func failure(_ name: String) -> CommandFailure {
    let reason = unsafe String(cString: strerror(errno))
    return CommandFailure(message: "cannot read \(name): \(reason)", code: .failure)
  }
}
