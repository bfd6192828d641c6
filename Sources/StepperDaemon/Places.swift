/// Where the daemon's files are (design §10). Environment variables of the service manager come first.
package struct Places: Hashable, Sendable {
  /// The machine's one daemon, or one that a user runs.
  package enum Scope: Hashable, Sendable { case system, user }

  package var scope: Scope
  package var configuration: String
  package var socket: String
  /// The directory of what is remembered.
  package var state: String

  package static let socketName = "org.stepperd"

  /// Without `scope` the rule decides: an ordinary user's daemon, or one that root starts in a session of its
  /// own outside the service manager, is the user's. `userID` is the effective one.
  package init(scope: Scope?, environment: [String: String], userID: UInt32) {
    func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let isService = variable("INVOCATION_ID") != nil && variable("TERM") == nil
    let hasSession = variable("XDG_RUNTIME_DIR") != nil
    let isUsers = userID != 0 || (hasSession && !isService)
    self.scope = scope ?? (isUsers ? .user : .system)
    let home = variable("HOME") ?? "/"
    let runtime = variable("XDG_RUNTIME_DIR") ?? "/run/user/\(userID)"
    /// The first of the directories the service manager names.
    func directory(_ name: String) -> String? {
      variable(name)?.split(separator: ":").first.map(String.init)
    }
    switch self.scope {
    case .system:
      configuration = "\(directory("CONFIGURATION_DIRECTORY") ?? "/etc/stepperd")/stepperd.toml"
      socket = "\(directory("RUNTIME_DIRECTORY") ?? "/run/stepperd")/\(Self.socketName)"
      state = directory("STATE_DIRECTORY") ?? "/var/lib/stepperd"
    case .user:
      configuration = "\(variable("XDG_CONFIG_HOME") ?? "\(home)/.config")/stepperd/stepperd.toml"
      socket = "\(runtime)/stepperd/\(Self.socketName)"
      state = "\(variable("XDG_STATE_HOME") ?? "\(home)/.local/state")/stepperd"
    }
  }
}
