import Glibc
import StepperLinux
import SystemPackage

/// The file of a recording. Only the worker's thread writes to it, one piece after another.
nonisolated final class RecordingFile: Sendable {
  let path: String
  private let descriptor: OwnedFileDescriptor

  /// Maximum number of recordings with the same path.
  private static let mostKept = 99

  /// Creates a new file that only this user can read: at `path`, or at `path.1` and so on if `path` exists.
  /// Throws `EISDIR` for a directory.
  init(creating path: String) throws(Errno) {
    if path.hasSuffix("/") || stat(at: path).map({ FileKind($0) }) == .directory { throw .isDirectory }
    var name = path
    for number in 1...Self.mostKept {
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let result = unsafe open(name, flags, 0o600)
      if result >= 0 {
        self.path = name
        descriptor = OwnedFileDescriptor(owning: result)
        return
      }
      guard Errno.current == .fileExists else { throw Errno.current }
      name = "\(path).\(number)"
    }
    throw .fileExists
  }

  /// Appends all of `bytes`, or nothing. May wait for the disk.
  func append(_ bytes: [UInt8]) throws(Errno) {
    let end = try Errno.check(lseek(descriptor.rawValue, 0, SEEK_CUR))
    do throws(Errno) {
      try writeAll(bytes, to: descriptor.rawValue)
    } catch {
      // Removes a line that was written in part. If that fails, it is the last line of the file.
      _ = ftruncate(descriptor.rawValue, end)
      _ = lseek(descriptor.rawValue, end, SEEK_SET)
      throw error
    }
  }
}
