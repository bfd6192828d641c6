internal import Glibc
package import SystemPackage

/// A small file that is read completely. Reading never waits for another process.
package struct SmallFile: Hashable, Sendable {
  package let path: FilePath

  package init(_ path: FilePath) { self.path = path }

  /// The content; nil if the file does not exist. Throws `EFBIG` for more than `limit` bytes, without reading them
  /// all into memory, and ``FileFailure/Reason/kind(_:)`` if it is not a regular file.
  ///
  /// A symbolic link is followed unless `followsLinks` is false, which is for a file that somebody else may have put
  /// there; a dangling link throws `ENOENT`. `/dev/null` is empty. With `isOwn`, only root and the user of this
  /// process may be able to write the file; otherwise it throws ``FileFailure/Reason/owner(_:)`` or
  /// ``FileFailure/Reason/writable``.
  package func read(
    limit: Int, isOwn: Bool = false, followsLinks: Bool = true
  ) throws(FileFailure) -> [UInt8]? {
    // Checked before the file is opened: opening a device may have effects, and a socket cannot be opened.
    var status = stat()
    guard unsafe fstatat(AT_FDCWD, path.string, &status, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else {
      guard errno == ENOENT else { throw FileFailure("read", path) }
      guard unsafe lstat(path.string, &status) == 0 else { return nil }
      throw FileFailure("read", path, .noSuchFileOrDirectory)
    }
    if isNull(status) { return [] }
    try requireFile(status)
    let file = OwnedFileDescriptor(owning: try openFile(followsLinks ? 0 : O_NOFOLLOW))
    guard unsafe fstat(file.rawValue, &status) == 0 else { throw FileFailure("read", path) }
    try requireFile(status)
    if isOwn { try requireOwn(status) }
    let (content, end) = readAll(file.rawValue, limit: limit)
    switch end {
    case .complete: return content
    case .tooLong: throw FileFailure("read", path, .fileTooLarge)
    case .failed(let error): throw FileFailure("read", path, error)
    }
  }

  /// The content of a file that a configuration includes; nil if the file does not exist. Symbolic links are not
  /// followed, because the program that writes the file may be less trusted than its reader.
  package static func readIncluded(_ path: String, limit: Int) throws(FileFailure) -> [UInt8]? {
    try SmallFile(FilePath(path)).read(limit: limit, followsLinks: false)
  }

  private func isNull(_ status: stat) -> Bool {
    // Major number 1, minor number 3.
    status.st_mode & S_IFMT == S_IFCHR && status.st_rdev == 0x103
  }

  private func requireFile(_ status: stat) throws(FileFailure) {
    let kind = FileKind(status)
    guard kind == .file else { throw FileFailure(operation: "read", path: path, reason: .kind(kind)) }
  }

  private func requireOwn(_ status: stat) throws(FileFailure) {
    guard [0, geteuid()].contains(status.st_uid) else {
      throw FileFailure(operation: "read", path: path, reason: .owner(status.st_uid))
    }
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      throw FileFailure(operation: "read", path: path, reason: .writable)
    }
  }

  private func openFile(_ flags: CInt) throws(FileFailure) -> CInt {
    while true {
      let file = unsafe open(path.string, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags)
      if file >= 0 { return file }
      guard errno == EINTR else { throw FileFailure("open", path) }
    }
  }
}

/// The reason why reading a file has ended.
enum ReadingEnd: Hashable {
  case complete
  /// The file is longer than the limit.
  case tooLong
  case failed(Errno)
}

/// The content of an open file as far as it can be read, up to `limit` bytes.
func readAll(_ file: CInt, limit: Int) -> (content: [UInt8], end: ReadingEnd) {
  var content: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: min(limit + 1, 65_536))
  while true {
    let count = unsafe read(file, &chunk, chunk.count)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { return (content, .failed(.current)) }
    if count == 0 { return (content, .complete) }
    let room = limit - content.count
    content.append(contentsOf: chunk[..<min(count, room)])
    if count > room { return (content, .tooLong) }
  }
}
