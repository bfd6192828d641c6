internal import ArgumentParser
internal import Glibc
internal import StepperClient
internal import StepperConfiguration
internal import SystemPackage

/// The configuration that an argument names.
enum ConfigurationArgument {
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
    do {
      switch self {
      case .builtIn: return Array(Configuration.embeddedText.utf8)
      case .standardInput: return try content(of: .standardInput)
      case .file(let path):
        let file = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
        return try file.closeAfter { try content(of: file) }
      }
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(message: "cannot read \(name): \(error)", code: .failure)
    }
  }

  private func content(of file: FileDescriptor) throws -> [UInt8] {
    let limit = ConfigurationLimit.fileBytes
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while case let count = try unsafe piece.withUnsafeMutableBytes({ try unsafe file.read(into: $0) }),
      count > 0
    {
      bytes += piece[..<count]
      guard bytes.count <= limit else {
        throw CommandFailure(
          message: "\(name) is longer than \(limit) bytes, the most that is allowed", code: .configuration)
      }
    }
    return bytes
  }
}
