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
      try requireGroup(name, keyPath: "daemon.admin-group", file: loaded.name)
    }
    for account in settings.providers {
      switch account {
      case .user(let name): providerUserIDs.insert(try loaded.requireProvider(user: name))
      case .group(let name): providerGroupIDs.insert(try loaded.requireProvider(group: name))
      }
    }
  }

  /// May manage the daemon and move virtual devices: root, the user whose daemon it is, the admin group.
  func isAdministrator(_ peer: PeerCredentials) -> Bool {
    peer.userID == 0 || peer.userID == ownerID || adminGroupID.map(peer.groupIDs.contains) ?? false
  }

  /// May attach devices: administrators, and what `providers` names.
  func mayProvide(_ peer: PeerCredentials) -> Bool {
    isAdministrator(peer) || providerUserIDs.contains(peer.userID)
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
  /// Throws if a group of the configuration does not exist.
  package func checkGroups() throws(ConfigurationFailure) {
    let groups = [
      ("daemon.socket-group", configuration.daemon.socketGroup),
      ("daemon.admin-group", configuration.daemon.adminGroup),
    ]
    for case (let keyPath, let group?) in groups { _ = try requireGroup(group, keyPath: keyPath, file: name) }
    for account in configuration.daemon.providers {
      switch account {
      case .user(let name): _ = try requireProvider(user: name)
      case .group(let name): _ = try requireProvider(group: name)
      }
    }
  }

  fileprivate func requireProvider(group: String) throws(ConfigurationFailure) -> UInt32 {
    try requireGroup(group, keyPath: "daemon.providers", file: name)
  }

  fileprivate func requireProvider(user: String) throws(ConfigurationFailure) -> UInt32 {
    try requireUser(user, keyPath: "daemon.providers", file: name)
  }
}

/// The number of the group `name`; throws a problem at `keyPath` if it does not exist.
nonisolated func requireGroup(_ name: String, keyPath: String, file: String) throws(ConfigurationFailure)
  -> UInt32
{
  try requireAccount("group", name, groupID, groups, "groupadd", keyPath: keyPath, file: file)
}

/// The number of the user `name`; throws a problem at `keyPath` if it does not exist.
nonisolated private func requireUser(_ name: String, keyPath: String, file: String)
  throws(ConfigurationFailure) -> UInt32
{
  try requireAccount("user", name, userID, users, "useradd", keyPath: keyPath, file: file)
}

nonisolated private func requireAccount(
  _ kind: String, _ name: String, _ number: (String) throws(FileFailure) -> UInt32?,
  _ all: () throws(FileFailure) -> [(name: String, id: UInt32)], _ command: String, keyPath: String,
  file: String
) throws(ConfigurationFailure) -> UInt32 {
  func failure(_ message: String, suggesting suggestion: String? = nil) -> ConfigurationFailure {
    ConfigurationFailure(problems: [
      ConfigurationProblem(file: file, keyPath: keyPath, message: message, suggestion: suggestion)
    ])
  }
  let known: [String]
  do throws(FileFailure) {
    if let number = try number(name) { return number }
    known = try all().map(\.name)
  } catch {
    throw failure("\(error)")
  }
  throw failure(
    "there is no \(kind) \"\(name)\"; create it with: \(command) --system \(name)",
    suggesting: suggestion(for: name, among: known))
}
