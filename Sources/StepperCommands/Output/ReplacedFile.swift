internal import Glibc
internal import SystemPackage

/// A file that is replaced atomically: a reader sees the old content or the new.
struct ReplacedFile {
  var path: String

  /// Replaces the content, which is on the disk when this returns. The file is unchanged if that throws.
  func write(_ content: some Sequence<UInt8>, mode: mode_t, owner: (uid_t, gid_t)? = nil) throws {
    let temporary = ReplacedFile(path: "\(path).\(getpid())")
    try temporary.create(content, mode: mode, owner: owner)
    guard unsafe rename(temporary.path, path) == 0 else {
      let error = Errno(rawValue: errno)
      unsafe unlink(temporary.path)
      throw error
    }
  }

  /// Creates the file, which is on the disk when this returns. Throws `EEXIST` if it exists, without a change.
  func create(_ content: some Sequence<UInt8>, mode: mode_t, owner: (uid_t, gid_t)? = nil) throws {
    let file = try FileDescriptor.open(
      FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
      permissions: [.ownerReadWrite])
    do {
      // Closing may be the first call that reports a full file system.
      _ = try file.closeAfter {
        var status = stat()
        guard unsafe fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
        if let (user, group) = owner, status.st_uid != user || status.st_gid != group {
          guard fchown(file.rawValue, user, group) == 0 else { throw Errno(rawValue: errno) }
        }
        guard fchmod(file.rawValue, mode) == 0 else { throw Errno(rawValue: errno) }
        try file.writeAll(content)
        guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
      }
    } catch {
      unsafe unlink(path)
      throw error
    }
  }
}
