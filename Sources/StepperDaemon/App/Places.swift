import StepperCore
import StepperText

/// Where the daemon's files are (design §10). Environment variables of the service manager come first.
package struct Places: Hashable, Sendable {
  /// The machine's one daemon, or one that a user runs.
  package enum Scope: Hashable, Sendable { case system, user }

  package var scope: Scope
  package var configuration: String
  package var socket: String
  /// The directory of what is remembered.
  package var state: String
  /// Variables of the environment that make no sense, and are not used therefore; a sentence each.
  package private(set) var problems: [String] = []

  /// `PATH_MAX`: no system call takes a longer path.
  private static let longestPath = 4_096
  package static let socketName = "org.stepperd"

  /// Without `scope` the rule decides: an ordinary user's daemon, or one that root starts in a session of its
  /// own outside the service manager, is the user's. `userID` is the effective one.
  package init(scope: Scope?, environment: [String: String], userID: UInt32) {
    var problems: [String] = []
    func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    /// The first folder that a variable names. One that is not absolute would be another in each directory that the
    /// daemon is started in.
    func folder(_ name: String) -> String? {
      let isList = name.hasSuffix("_DIRECTORY")
      guard let value = variable(name),
        let path = isList ? value.split(separator: ":").first.map(String.init) : value
      else { return nil }
      guard path.hasPrefix("/"), path.utf8.count < Self.longestPath else {
        let reason = path.hasPrefix("/") ? "too long" : "no absolute path"
        problems.append("\(name) is \(reason) and not used: '\(path.onOneLine(limit: 100))'")
        return nil
      }
      return path
    }
    let isService = variable("INVOCATION_ID") != nil && variable("TERM") == nil
    let session = folder("XDG_RUNTIME_DIR")
    let isUsers = userID != 0 || (session != nil && !isService)
    self.scope = scope ?? (isUsers ? .user : .system)
    switch self.scope {
    case .system:
      configuration = "\(folder("CONFIGURATION_DIRECTORY") ?? "/etc/stepperd")/stepperd.toml"
      socket = "\(folder("RUNTIME_DIRECTORY") ?? "/run/stepperd")/\(Self.socketName)"
      state = folder("STATE_DIRECTORY") ?? "/var/lib/stepperd"
    case .user:
      let home = folder("HOME") ?? ""
      configuration = "\(folder("XDG_CONFIG_HOME") ?? "\(home)/.config")/stepperd/stepperd.toml"
      socket = "\(session ?? "/run/user/\(userID)")/stepperd/\(Self.socketName)"
      state = "\(folder("XDG_STATE_HOME") ?? "\(home)/.local/state")/stepperd"
    }
    self.problems = problems
  }
}
