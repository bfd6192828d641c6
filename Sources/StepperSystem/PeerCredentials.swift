internal import CLinux
internal import Glibc
internal import SystemPackage

/// Who is on the other side of a connection, as the kernel knows it.
package struct PeerCredentials: Hashable, Sendable {
  package var processID: Int32
  package var userID: UInt32
  package var groupIDs: Set<UInt32>

  package init(processID: Int32, userID: UInt32, groupIDs: Set<UInt32>) {
    self.processID = processID
    self.userID = userID
    self.groupIDs = groupIDs
  }

  /// `SO_PEERCRED`, and `SO_PEERGROUPS` for the supplementary groups where the kernel has it (4.13).
  init(of descriptor: CInt) throws(Errno) {
    var credentials = peer_credentials()
    var size = socklen_t(MemoryLayout<peer_credentials>.size)
    try Errno.check(unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size))
    var groups = [gid_t](repeating: 0, count: 256)
    var length = socklen_t(groups.count * MemoryLayout<gid_t>.stride)
    if unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &groups, &length) != 0 { length = 0 }
    let supplementary = groups.prefix(Int(length) / MemoryLayout<gid_t>.stride)
    self.init(
      processID: credentials.pid, userID: credentials.uid,
      groupIDs: Set(supplementary).union([credentials.gid]))
  }
}
