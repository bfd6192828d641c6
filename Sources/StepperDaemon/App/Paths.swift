import StepperConfiguration
import StepperText

/// The paths of the daemon's files. Environment variables of the service manager take precedence.
package struct Paths: Hashable, Sendable {
  /// The system service, or the daemon of a user.
  package nonisolated enum Scope: Hashable, Sendable { case system, user }

  package var scope: Scope
  package var configuration: String
  /// nil: a user's daemon has no directory for the socket.
  package var socket: String?
  /// The directory of saved values.
  package var state: String
  /// One sentence for each environment variable whose value is invalid and therefore ignored.
  package private(set) var problems: [String] = []
  /// A warning about ``state``; nil: there is none.
  package private(set) var stateProblem: String?

  /// `PATH_MAX`: the maximum length of a path in system calls.
  private static let longestPath = 4_096
  package static let socketName = "org.stepperd"

  /// If `scope` is nil, this is a user's daemon if an ordinary user starts it, or root in a login session outside the
  /// service manager. `environment` returns the value of a variable; `userID` is the effective user ID.
  package init(scope: Scope?, environment: (String) -> String?, userID: UInt32) {
    var problems: [String] = []
    func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    /// The first directory of a variable. A relative path is not used, because it would depend on the working
    /// directory.
    func directory(_ name: String) -> String? {
      let isList = name.hasSuffix("_DIRECTORY")
      guard let value = variable(name),
        let path = isList ? value.split(separator: ":").first.map(String.init) : value
      else { return nil }
      guard path.hasPrefix("/"), path.utf8.count < Self.longestPath else {
        let reason = path.hasPrefix("/") ? "too long" : "not an absolute path"
        let problem = "\(name) is \(reason) and is ignored: '\(path.onOneLine(limit: 100))'"
        // One variable may be asked for twice.
        if !problems.contains(problem) { problems.append(problem) }
        return nil
      }
      return path
    }
    let isService = variable("INVOCATION_ID") != nil && variable("TERM") == nil
    let session = directory("XDG_RUNTIME_DIR")
    let isUsers = userID != 0 || (session != nil && !isService)
    self.scope = scope ?? (isUsers ? .user : .system)
    switch self.scope {
    case .system:
      configuration = "\(directory("CONFIGURATION_DIRECTORY") ?? "/etc/stepperd")/stepperd.toml"
      socket = "\(directory("RUNTIME_DIRECTORY") ?? "/run/stepperd")/\(Self.socketName)"
      state = directory("STATE_DIRECTORY") ?? "/var/lib/stepperd"
    case .user:
      configuration = "\(UserFolder.configuration.path(directory) ?? "/.config/stepperd")/stepperd.toml"
      socket = session.map { "\($0)/stepperd/\(Self.socketName)" }
      state = UserFolder.state.path(directory) ?? "/.local/state/stepperd"
      if variable("HOME") == nil, UserFolder.state.path(directory) == nil {
        stateProblem = "neither HOME nor XDG_STATE_HOME is set: values are saved in \(state)"
      }
    }
    self.problems = problems
  }
}
