import StepperConfiguration
import StepperLinux
import StepperText

/// Permissions by the identity that the kernel attests. Names are resolved before serving.
nonisolated struct Authorization: Sendable {
  /// The user whose daemon this is; nil for the system's daemon.
  ///
  /// The system service runs as a dedicated user. A client with that user is a command of a hook and has the
  /// permissions of any client.
  var ownerID: UInt32?
  /// The group of `admin-group`; nil without one.
  private var adminGroupID: UInt32?

  /// The users and groups of `providers`.
  private var providerUserIDs: Set<UInt32> = []
  private var providerGroupIDs: Set<UInt32> = []

  /// Throws if a group of `admin-group`, or a user or group of `providers`, does not exist.
  init(_ loaded: ConfigurationFile.Loaded, scope: Paths.Scope) throws(ConfigurationFailure) {
    ownerID = scope == .user ? effectiveUserID : nil
    let settings = loaded.configuration.daemon
    adminGroupID = try settings.adminGroup.map { name throws(ConfigurationFailure) in
      try loaded.number(ofGroup: name, for: "admin-group")
    }
    for account in settings.providers {
      switch account {
      case .user(let name): providerUserIDs.insert(try loaded.number(ofUser: name, for: "providers"))
      case .group(let name): providerGroupIDs.insert(try loaded.number(ofGroup: name, for: "providers"))
      }
    }
  }

  /// May manage the daemon and move virtual devices: root, the user whose daemon it is, the admin group.
  func isAdministrator(_ peer: PeerCredentials) -> Bool {
    guard !peer.isRestricted else { return false }
    return peer.userID == 0 || peer.userID == ownerID || adminGroupID.map(peer.groupIDs.contains) ?? false
  }

  /// May attach devices: administrators, and what `providers` names.
  func mayProvide(_ peer: PeerCredentials) -> Bool {
    guard !peer.isRestricted else { return false }
    return isAdministrator(peer) || providerUserIDs.contains(peer.userID)
      || !providerGroupIDs.isDisjoint(with: peer.groupIDs)
  }

  func rank(of peer: PeerCredentials) -> ConnectionSlots.Rank {
    peer.userID == 0 ? .root : isAdministrator(peer) ? .administrator : .user
  }

  func mayChange(_ access: ControlConfiguration.Access, _ peer: PeerCredentials) -> Bool {
    switch access {
    case .everyone: true
    case .admin: isAdministrator(peer)
    case .nobody: false
    }
  }
}

nonisolated extension ConfigurationFile.Loaded {
  /// Throws if a user or a group of the configuration does not exist.
  package func checkAccounts() throws(ConfigurationFailure) {
    if let group = configuration.daemon.socketGroup { _ = try number(ofGroup: group, for: "socket-group") }
    _ = try Authorization(self, scope: .system)
  }

  /// The number of a group that `key` of `[daemon]` names; throws a problem of that key if there is none.
  func number(ofGroup name: String, for key: String) throws(ConfigurationFailure) -> UInt32 {
    try number(of: name, in: .groups, "group", for: key)
  }

  fileprivate func number(ofUser name: String, for key: String) throws(ConfigurationFailure) -> UInt32 {
    try number(of: name, in: .users, "user", for: key)
  }

  private func number(
    of name: String, in file: AccountFile, _ kind: String, for key: String
  ) throws(ConfigurationFailure) -> UInt32 {
    func failure(_ message: String, suggesting suggestion: String? = nil) -> ConfigurationFailure {
      ConfigurationFailure(problems: [
        ConfigurationProblem(
          file: self.name, keyPath: "daemon.\(key)", message: message, suggestion: suggestion)
      ])
    }
    let known: [String]
    do throws(FileFailure) {
      if let number = try file.number(of: name) { return number }
      known = try file.accounts().map(\.name)
    } catch {
      throw failure("\(error)")
    }
    throw failure(
      "there is no \(kind) \"\(name)\"; create it with: \(kind)add --system \(name)",
      suggesting: suggestion(for: name, among: known))
  }
}
