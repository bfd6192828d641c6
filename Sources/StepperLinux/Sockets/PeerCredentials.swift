internal import CLinux
internal import Glibc
internal import SystemPackage

/// The identity of the peer of a connection, attested by the kernel.
package struct PeerCredentials: Hashable, Sendable {
  package var processID: Int32
  package var userID: UInt32
  package var groupIDs: Set<UInt32>
  /// Whether the peer has given up the rights that its user has beyond those of every client.
  package var isRestricted = false

  package init(processID: Int32, userID: UInt32, groupIDs: Set<UInt32>) {
    self.processID = processID
    self.userID = userID
    self.groupIDs = groupIDs
  }

  /// Uses `SO_PEERCRED`, and `SO_PEERGROUPS` for the supplementary groups if the kernel has it (4.13).
  init(of descriptor: CInt) throws(Errno) {
    var credentials = peer_credentials()
    var size = socklen_t(MemoryLayout<peer_credentials>.size)
    try Errno.check(unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size))
    let supplementary = Self.supplementaryGroups(of: descriptor)
    self.init(
      processID: credentials.pid, userID: credentials.uid,
      groupIDs: Set(supplementary).union([credentials.gid]))
  }

  /// The supplementary groups. If they do not fit, the kernel returns `ERANGE` and the required size.
  private static func supplementaryGroups(of descriptor: CInt) -> [gid_t] {
    var groups = [gid_t](repeating: 0, count: 64)
    let size = socklen_t(MemoryLayout<gid_t>.stride)
    // At most twice: the peer's groups are those at its `connect` and do not change.
    for _ in 0..<2 {
      var length = socklen_t(groups.count) * size
      if unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &groups, &length) == 0 {
        return Array(groups.prefix(Int(length / size)))
      }
      guard errno == ERANGE else { return [] }
      groups = [gid_t](repeating: 0, count: Int(length / size))
    }
    return []
  }
}
