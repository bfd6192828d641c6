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

  /// Throws if the group of `admin-group` does not exist.
  init(_ loaded: ConfigurationFile.Loaded, scope: Paths.Scope) throws(ConfigurationFailure) {
    ownerID = scope == .user ? effectiveUserID : nil
    guard let name = loaded.configuration.daemon.adminGroup else { return }
    adminGroupID = try requireGroup(name, keyPath: "daemon.admin-group", file: loaded.name)
  }

  /// May manage the daemon and move virtual devices: root, the user whose daemon it is, the admin group.
  func isAdministrator(_ peer: PeerCredentials) -> Bool {
    peer.userID == 0 || peer.userID == ownerID || adminGroupID.map(peer.groupIDs.contains) ?? false
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
  }
}

/// The number of the group `name`; throws a problem at `keyPath` if it does not exist.
nonisolated func requireGroup(_ name: String, keyPath: String, file: String) throws(ConfigurationFailure)
  -> UInt32
{
  func failure(_ message: String, suggesting suggestion: String? = nil) -> ConfigurationFailure {
    ConfigurationFailure(problems: [
      ConfigurationProblem(file: file, keyPath: keyPath, message: message, suggestion: suggestion)
    ])
  }
  let known: [String]
  do throws(FileFailure) {
    if let number = try groupID(named: name) { return number }
    known = try groups().map(\.name)
  } catch {
    throw failure("\(error)")
  }
  throw failure(
    "there is no group \"\(name)\"; create it with: groupadd --system \(name)",
    suggesting: suggestion(for: name, among: known))
}
