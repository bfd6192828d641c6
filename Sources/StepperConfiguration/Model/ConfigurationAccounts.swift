internal import StepperText

/// The users and groups that `[daemon]` names, as the system knows them.
///
/// The group of the socket must exist, because otherwise the socket would belong to another group. Accounts that only
/// grant a right may be missing: a name without an account gives nobody that right, for example after the package that
/// created the user was removed.
package struct ConfigurationAccounts: Hashable, Sendable {
  package typealias Kind = DaemonSettings.Account.Kind

  package private(set) var socketGroup: UInt32?
  package private(set) var adminGroup: UInt32?
  package private(set) var providerUsers: Set<UInt32> = []
  package private(set) var providerGroups: Set<UInt32> = []
  /// Problems that are not warnings keep the daemon from starting.
  package private(set) var problems: [ConfigurationProblem] = []

  /// Looks up the accounts that `settings`, read from `file`, name. `isUsers` is true for a user's daemon. `accounts`
  /// returns all accounts of a kind.
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
            ? "there is no \(kind) \"\(name)\", so this entry has no effect; \(remedy), then run: stepperctl reload"
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
      guard let number = number(of: provider.name, provider.kind, for: "providers", mayBeMissing: true) else {
        continue
      }
      switch provider.kind {
      case .user: providerUsers.insert(number)
      case .group: providerGroups.insert(number)
      }
    }
  }

  package var warnings: [ConfigurationProblem] { problems.filter { $0.severity == .warning } }
  package var errors: [ConfigurationProblem] { problems.filter { $0.severity == .error } }

  /// The users of stepperd's programs have the names of their packages.
  private static func remedy(for name: String, _ kind: Kind) -> String {
    kind == .user && name.hasPrefix("stepperd-")
      ? "install the package \(name)" : "create it with: \(kind)add --system \(name)"
  }
}
