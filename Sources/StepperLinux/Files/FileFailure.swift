package import Glibc
package import SystemPackage

/// A failed operation on a file, and the reason.
package struct FileFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The operation, for example "write".
  package var operation: String
  package var path: FilePath
  package var reason: Reason

  package enum Reason: Hashable, Sendable {
    case errno(Errno)
    /// The file is not a regular file.
    case kind(FileKind)
    /// The file belongs to this user, which is neither root nor the user of this process.
    case owner(UInt32)
    /// Users other than the owner can write the file.
    case writable
  }

  package init(operation: String, path: FilePath, reason: Reason) {
    self.operation = operation
    self.path = path
    self.reason = reason
  }

  /// The failure of the system call that was just made.
  init(_ operation: String, _ path: FilePath, _ errno: Errno = .current) {
    self.init(operation: operation, path: path, reason: .errno(errno))
  }

  /// The error number; nil if no system call failed.
  package var errno: Errno? {
    guard case .errno(let errno) = reason else { return nil }
    return errno
  }

  /// Whether a resource is temporarily unavailable, so that the operation may be repeated later; the file itself is
  /// usable.
  package var isShortage: Bool { errno.map { $0.isShortage || $0 == .interrupted } ?? false }

  package var description: String {
    switch reason {
    case .errno(let errno): "cannot \(operation) \(path): \(errno)"
    case .kind(let kind): "\(path) is \(kind), not a file"
    case .owner(let user): "\(path) belongs to user \(user)"
    case .writable: "\(path) can be written by others than its owner: \"chmod go-w \(path)\" fixes it"
    }
  }
}

extension Errno {
  /// Whether the error says nothing about the file, such as a lack of memory: a restart of the program may help.
  package var isOfSystem: Bool {
    ![
      .fileTooLarge, .noSuchFileOrDirectory, .notDirectory, .isDirectory, .tooManySymbolicLinkLevels,
      .permissionDenied,
      .notPermitted,
    ].contains(self)
  }
}

extension stat {
  /// The status of the open file `file`; nil: `errno` says why not.
  ///
  /// The corresponding C function is `fstat`.
  package init?(of file: CInt) {
    self.init()
    guard unsafe fstat(file, &self) == 0 else { return nil }
  }

  /// The status of the file at `path` in `directory`; nil: `errno` says why not.
  ///
  /// The corresponding C functions are `stat`, and `fstatat` in a directory or without following a link.
  package init?(at path: String, in directory: CInt = AT_FDCWD, followsLinks: Bool = true) {
    self.init()
    let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
    let isPlain = directory == AT_FDCWD && followsLinks
    let result = isPlain ? follow(path, &self) : unsafe fstatat(directory, path, &self, flags)
    guard result == 0 else { return nil }
  }
}

private func follow(_ path: String, _ status: inout stat) -> CInt { unsafe stat(path, &status) }

/// The types of files.
package enum FileKind: Hashable, Sendable, CustomStringConvertible {
  case file, directory, fifo, socket, symbolicLink, device

  package init(_ status: stat) {
    self =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFIFO: .fifo
      case S_IFSOCK: .socket
      case S_IFLNK: .symbolicLink
      default: .device
      }
  }

  package var description: String {
    switch self {
    case .file: "a file"
    case .directory: "a directory"
    case .fifo: "a FIFO"
    case .socket: "a socket"
    case .symbolicLink: "a symbolic link"
    case .device: "a device"
    }
  }
}

/// The identity and the version of a file: distinguishes the file at a path from an earlier one.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  private let modified: [Int64]

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    modified = [Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec)]
  }

  /// Whether both are the same file, regardless of its content.
  func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }
}

/// The status of the file at `path` in `directory`, without following a link; nil if it does not exist.
func statusWithoutFollowing(_ path: String, in directory: CInt = AT_FDCWD) throws(Errno) -> stat? {
  if let status = stat(at: path, in: directory, followsLinks: false) { return status }
  guard errno == ENOENT else { throw Errno.current }
  return nil
}

/// Opens `path` in `directory` without following a link and without blocking.
func openWithoutFollowing(
  _ path: String, in directory: CInt = AT_FDCWD, _ flags: CInt, permissions: mode_t = 0
) throws(Errno) -> CInt {
  let flags = flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
  while true {
    let file = unsafe openat(directory, path, flags, permissions)
    if file >= 0 { return file }
    guard errno == EINTR else { throw Errno.current }
  }
}
