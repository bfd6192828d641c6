internal import StepperText

/// The users and groups that `[daemon]` names, as the system knows them.
package struct ConfigurationAccounts: Hashable, Sendable {
  package enum Kind: String, Sendable { case user, group }

  package private(set) var socketGroup: UInt32?
  package private(set) var adminGroup: UInt32?
  package private(set) var providerUsers: Set<UInt32> = []
  package private(set) var providerGroups: Set<UInt32> = []
  /// Why the daemon does not start with them.
  package private(set) var problems: [ConfigurationProblem] = []

  /// Of `settings`, which are from `file`; `isUsers`: for a user's daemon. `accounts` gives all accounts of a kind.
  package init(
    _ settings: DaemonSettings, file: String, isUsers: Bool,
    accounts: (Kind) throws -> [(name: String, number: UInt32)]
  ) {
    func note(_ key: String, _ message: String, suggesting suggestion: String? = nil) {
      problems.append(
        ConfigurationProblem(file: file, keyPath: "daemon.\(key)", message: message, suggestion: suggestion))
    }
    func number(of name: String, _ kind: Kind, for key: String) -> UInt32? {
      if let number = UInt32(name) { return number }
      do {
        let known = try accounts(kind)
        if let account = known.first(where: { $0.name == name }) { return account.number }
        note(
          key, "there is no \(kind) \"\(name)\"; create it with: \(kind)add --system \(name)",
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
      socketGroup = settings.socketGroup.flatMap { number(of: $0, .group, for: "socket-group") }
    }
    adminGroup = settings.adminGroup.flatMap { number(of: $0, .group, for: "admin-group") }
    for provider in settings.providers {
      switch provider {
      case .user(let name):
        if let user = number(of: name, .user, for: "providers") { providerUsers.insert(user) }
      case .group(let name):
        if let group = number(of: name, .group, for: "providers") { providerGroups.insert(group) }
      }
    }
  }
}
