import StepperConfiguration
import StepperSystem

/// Who may do what, by the identity the kernel vouches for. No names are looked up here.
struct Authorization {
  /// The daemon's own effective user.
  var ownUserID: UInt32
  /// The group of `admin-group`; nil: none.
  var adminGroupID: UInt32?

  /// May manage the daemon and move virtual devices: root, the daemon's own user, the admin group.
  func isAdministrator(_ peer: PeerCredentials) -> Bool {
    peer.userID == 0 || peer.userID == ownUserID || adminGroupID.map(peer.groupIDs.contains) ?? false
  }

  func mayChange(_ access: ControlConfiguration.Access, _ peer: PeerCredentials) -> Bool {
    switch access {
    case .everyone: true
    case .admin: isAdministrator(peer)
    case .nobody: false
    }
  }
}
