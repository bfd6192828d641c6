internal import Glibc
internal import SystemPackage

/// A file that is replaced atomically: a reader sees the old content or the new.
struct ReplacedFile {
  var path: String

  /// Replaces the content. The file is unchanged if that throws.
  func write(_ text: String) throws {
    let temporary = FilePath("\(path).\(getpid())")
    let file = try FileDescriptor.open(
      temporary, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
      permissions: [.ownerReadWrite, .groupRead, .otherRead])
    do {
      // Closing may be the first call that reports a full file system.
      _ = try file.closeAfter { try file.writeAll(text.utf8) }
      guard unsafe rename(temporary.string, path) == 0 else { throw Errno(rawValue: errno) }
    } catch {
      unsafe unlink(temporary.string)
      throw error
    }
  }
}
