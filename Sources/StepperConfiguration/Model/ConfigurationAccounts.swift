internal import StepperText

/// The users and groups that `[daemon]` names, as the system knows them.
///
/// The group of the socket must exist, because the socket would be another's without it. Who only may do something
/// need not: a name without an account gives nobody a right, as when the package whose user it is was removed.
package struct ConfigurationAccounts: Hashable, Sendable {
  package enum Kind: String, Sendable { case user, group }

  package private(set) var socketGroup: UInt32?
  package private(set) var adminGroup: UInt32?
  package private(set) var providerUsers: Set<UInt32> = []
  package private(set) var providerGroups: Set<UInt32> = []
  /// Those that are no warnings keep the daemon from starting.
  package private(set) var problems: [ConfigurationProblem] = []

  /// Of `settings`, which are from `file`; `isUsers`: for a user's daemon. `accounts` gives all accounts of a kind.
  package init(
    _ settings: DaemonSettings, file: String, isUsers: Bool,
    accounts: (Kind) throws -> [(name: String, number: UInt32)]
  ) {
    func note(
      _ key: String, _ message: String, _ severity: ConfigurationProblem.Severity = .error,
      suggesting suggestion: String? = nil
    ) {
      problems.append(
        ConfigurationProblem(
          severity, file: file, keyPath: "daemon.\(key)", message: message, suggestion: suggestion))
    }
    func number(of name: String, _ kind: Kind, for key: String, mayBeMissing: Bool) -> UInt32? {
      if let number = UInt32(name) { return number }
      do {
        let known = try accounts(kind)
        if let account = known.first(where: { $0.name == name }) { return account.number }
        let remedy = Self.remedy(for: name, kind)
        note(
          key,
          mayBeMissing
            ? "there is no \(kind) \"\(name)\", so that it gives nobody a right; \(remedy), then run: stepperctl reload"
            : "there is no \(kind) \"\(name)\"; \(remedy)",
          mayBeMissing ? .warning : .error,
          suggesting: suggestion(for: name, among: known.map(\.name)))
      } catch {
        note(key, "\(error)")
      }
      return nil
    }
    if isUsers, settings.socketGroup != nil {
      note(
        "socket-group", "only the system's daemon has one: a user's daemon serves this user alone; remove it")
    } else {
      socketGroup = settings.socketGroup.flatMap {
        number(of: $0, .group, for: "socket-group", mayBeMissing: false)
      }
    }
    adminGroup = settings.adminGroup.flatMap {
      number(of: $0, .group, for: "admin-group", mayBeMissing: true)
    }
    for provider in settings.providers {
      switch provider {
      case .user(let name):
        if let user = number(of: name, .user, for: "providers", mayBeMissing: true) {
          providerUsers.insert(user)
        }
      case .group(let name):
        if let group = number(of: name, .group, for: "providers", mayBeMissing: true) {
          providerGroups.insert(group)
        }
      }
    }
  }

  package var warnings: [ConfigurationProblem] { problems.filter { $0.severity == .warning } }
  package var errors: [ConfigurationProblem] { problems.filter { $0.severity == .error } }

  /// The programs of stepperd have users with the names of their packages.
  private static func remedy(for name: String, _ kind: Kind) -> String {
    kind == .user && name.hasPrefix("stepperd-")
      ? "install the package \(name)" : "create it with: \(kind)add --system \(name)"
  }
}
