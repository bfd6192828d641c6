import StepperConfiguration
import StepperLinux
import StepperText

/// Permissions of clients by the identity that the kernel attests. Names are resolved before the daemon serves.
nonisolated struct Authorization: Sendable {
  /// The user whose daemon this is; nil for the system's daemon.
  ///
  /// The system service runs as a dedicated user. A client with that user is a command of a hook and has the
  /// permissions of any client.
  var ownerID: UInt32?
  private let adminGroup: UInt32?
  private let providerUsers: Set<UInt32>
  private let providerGroups: Set<UInt32>

  init(_ accounts: ConfigurationAccounts, scope: Paths.Scope) {
    ownerID = scope == .user ? effectiveUserID : nil
    adminGroup = accounts.adminGroup
    (providerUsers, providerGroups) = (accounts.providerUsers, accounts.providerGroups)
  }

  /// Whether a client may manage the daemon and move virtual devices: root, the user whose daemon it is, and the admin group may.
  func isAdministrator(_ peer: PeerCredentials) -> Bool {
    guard !peer.isRestricted else { return false }
    return peer.userID == 0 || peer.userID == ownerID
      || adminGroup.map(peer.groupIDs.contains) ?? false
  }

  /// Whether a client may attach devices: administrators, and the users and groups that `providers` names, may.
  func mayProvide(_ peer: PeerCredentials) -> Bool {
    guard !peer.isRestricted else { return false }
    return isAdministrator(peer) || providerUsers.contains(peer.userID)
      || !providerGroups.isDisjoint(with: peer.groupIDs)
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

nonisolated extension ConfigurationAccounts {
  /// Reads the accounts of the system. Name services are not asked, because they may wait for the network.
  init(_ configuration: Configuration, file: String, scope: Paths.Scope) {
    self.init(configuration.daemon, file: file, isUsers: scope == .user) { kind in
      try (kind == .user ? AccountFile.users : .groups).accounts()
    }
  }
}
