internal import StepperConfiguration
internal import StepperCore
internal import StepperLinux

/// A command of the configuration and its program.
struct HookFacts: Hashable, Sendable {
  var control: String
  /// The key: `on-change`.
  var key: String
  var command: [String]
  /// The path of the program; nil if it is in no directory of the daemon's search path.
  var program: String?
  /// Nil if the program does not exist, or the caller may not see it.
  var status: FileStatus?
  /// Directories on the way to the program that the daemon's user may not enter.
  var closedDirectory: String?

  /// The `PATH` that systemd gives to services.
  static let servicePath = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"]

  static func all(
    _ root: SystemRoot, _ configuration: Configuration?, searching path: [String], user: Identity?
  ) -> [HookFacts] {
    (configuration?.controls ?? []).flatMap { control in
      control.hooks.map { hook in
        var facts = HookFacts(control: control.settings.name, key: hook.name, command: hook.command)
        let name = facts.name
        let candidates = name.contains("/") ? [name] : path.map { "\($0)/\(name)" }
        facts.program = candidates.first { root.status($0)?.kind == .file }
        facts.status = facts.program.flatMap(root.status)
        if let user { facts.closedDirectory = root.closedDirectory(to: facts.program ?? name, for: user) }
        return facts
      }
    }
  }

  /// The first word of the command.
  var name: String { command.first ?? "" }
  var subject: String { "hook \(control) \(key)" }

  /// The names of programs in the command: that of the command itself, and for a shell also each word of the script.
  var programs: Set<String> {
    let own = Self.programName(name)
    guard ["sh", "bash", "dash", "zsh", "env", "nice", "timeout", "setsid"].contains(own) else {
      return [own]
    }
    let separators = " \t\n;|&()'\"`$"
    let words = command.dropFirst().flatMap { $0.split(whereSeparator: separators.contains) }
    return Set([own] + words.map { Self.programName(String($0)) })
  }

  static func programName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

extension SystemRoot {
  /// The first directory on the way to a file that `user` may not enter.
  fileprivate func closedDirectory(to path: String, for user: Identity) -> String? {
    guard path.hasPrefix("/") else { return nil }
    var directory = ""
    for part in path.split(separator: "/").dropLast() {
      directory += "/\(part)"
      guard let status = status(directory) else { return nil }
      if !status.permits(.execute, to: user) { return directory }
    }
    return nil
  }
}
