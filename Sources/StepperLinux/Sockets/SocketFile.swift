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
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return false }
    return FileIdentity(status).isSameFile(as: identity)
  }

  /// Sets its permission bits and its group, but never those of a file that has replaced it.
  func permit(mode: UInt32, group: UInt32?) throws(Errno) {
    let file = try OwnedFileDescriptor(openWithoutFollowing(path, open_path_only))
    var status = stat()
    try Errno.check(unsafe fstat(file.rawValue, &status))
    guard FileIdentity(status).isSameFile(as: identity) else { throw .noSuchFileOrDirectory }
    if let group { try Errno.check(unsafe fchownat(file.rawValue, "", uid_t.max, group, at_empty_path)) }
    // `fchmod` does not accept such a descriptor, but its name in /proc leads to the file itself.
    try Errno.check(unsafe chmod("/proc/self/fd/\(file.rawValue)", mode))
  }

  /// Removes it, if it exists.
  func remove() {
    if isInPlace { _ = unsafe unlink(path) }
  }
}
