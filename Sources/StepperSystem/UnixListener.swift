internal import CLinux
internal import Glibc
package import SystemPackage

/// A Unix stream socket that accepts connections.
package struct UnixListener: ~Copyable {
  private let descriptor: OwnedFileDescriptor
  /// Where it was bound; nil for a socket that the service manager handed over, which is not ours to remove.
  private let path: String?

  package var rawDescriptor: CInt { descriptor.rawValue }

  /// Takes over a socket that is bound and listening already.
  package init(inheriting descriptor: consuming OwnedFileDescriptor) {
    self.init(descriptor: descriptor, path: nil)
  }

  /// Binds `path` with the permission bits `mode`, and to the group `group` if there is one.
  ///
  /// A socket that a dead process left behind is removed, but only after nobody answered at it.
  /// Throws `addressInUse` if somebody did.
  package init(path: String, mode: UInt32, group: UInt32?) throws(Errno) {
    let descriptor = try Self.bound(to: path)
    if let group { try Errno.check(unsafe chown(path, uid_t.max, group)) }
    try Errno.check(unsafe chmod(path, mode))
    try Errno.check(listen(descriptor.rawValue, Self.backlog))
    self.init(descriptor: descriptor, path: path)
  }

  /// Connections that wait to be accepted. Whoever comes waits behind them, so they are few; one who finds the queue full
  /// waits for a place in it.
  private static var backlog: CInt { 128 }

  private init(descriptor: consuming OwnedFileDescriptor, path: String?) {
    self.descriptor = descriptor
    self.path = path
  }

  private static func bound(to path: String) throws(Errno) -> OwnedFileDescriptor {
    let descriptor = try OwnedFileDescriptor(streamSocket())
    if try isAnswered(path) { throw .addressInUse }
    // Fails where there is no stale socket, and then bind says what is wrong.
    _ = unsafe unlink(path)
    // Until `listen`, which comes after its mode is set, nobody can connect to it, whatever the umask.
    try Errno.check(unsafe withAddress(path) { unsafe bind(descriptor.rawValue, $0, $1) })
    return descriptor
  }

  deinit {
    if let path { _ = unsafe unlink(path) }
  }

  /// A connection that waits to be accepted; nil when there is none.
  ///
  /// The corresponding C function is `accept4`.
  package func accept() throws(Errno) -> OwnedFileDescriptor? {
    let flags = CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    let result = accept4(descriptor.rawValue, nil, nil, flags)
    if result >= 0 { return OwnedFileDescriptor(owning: result) }
    switch Errno.current {
    // The last two are connections that were given up before they were accepted.
    case .wouldBlock, .resourceTemporarilyUnavailable, .interrupted, .connectionAbort: return nil
    case let error: throw error
    }
  }

  private static func streamSocket() -> CInt {
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    return socket(AF_UNIX, type, 0)
  }

  private static func isAnswered(_ path: String) throws(Errno) -> Bool {
    let probe = try OwnedFileDescriptor(streamSocket())
    guard unsafe withAddress(path, { unsafe connect(probe.rawValue, $0, $1) }) != 0 else { return true }
    switch Errno.current {
    case .connectionRefused, .noSuchFileOrDirectory: return false
    // Its queue is full: somebody is there, only slow.
    case .wouldBlock, .resourceTemporarilyUnavailable: return true
    case let error: throw error
    }
  }

  /// Calls `body` with `path` as a socket address; a path that is too long fails as `ENAMETOOLONG`.
  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      errno = ENAMETOOLONG
      return -1
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    return unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
