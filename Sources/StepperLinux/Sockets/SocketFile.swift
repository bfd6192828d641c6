internal import CLinux
internal import Glibc
internal import SystemPackage

/// The file of a bound socket in a directory, which may belong to another user.
struct SocketFile: Hashable, Sendable {
  let path: String
  private let identity: FileIdentity

  /// The file at `path`, to which a socket has just been bound.
  init(_ path: String) throws(Errno) {
    guard let status = try statusWithoutFollowing(path), FileKind(status) == .socket else {
      throw .noSuchFileOrDirectory
    }
    self.path = path
    identity = FileIdentity(status)
  }

  var isInPlace: Bool {
    guard let status = stat(at: path, followsLinks: false) else { return false }
    return FileIdentity(status).isSameFile(as: identity)
  }

  /// Sets permission bits and group, but never those of another file that has replaced the socket.
  func permit(mode: UInt32, group: UInt32?) throws(Errno) {
    let file = try OwnedFileDescriptor(openWithoutFollowing(path, open_path_only))
    guard let status = stat(of: file.rawValue) else { throw .current }
    guard FileIdentity(status).isSameFile(as: identity) else { throw .noSuchFileOrDirectory }
    if let group { try Errno.check(unsafe fchownat(file.rawValue, "", uid_t.max, group, at_empty_path)) }
    // `fchmod` does not accept a descriptor of this kind, but its name in /proc leads to the file itself.
    try Errno.check(unsafe chmod("/proc/self/fd/\(file.rawValue)", mode))
  }

  /// Removes the file, if it is still the one that was bound.
  func remove() {
    if isInPlace { _ = unsafe unlink(path) }
  }
}
