import Glibc
import StepperLinux
import SystemPackage

/// The file of a recording. Only the worker's thread writes to it, one piece after another.
nonisolated final class RecordingFile: Sendable {
  let path: String
  private let descriptor: OwnedFileDescriptor

  /// Files of this name that are kept.
  private static let mostKept = 99

  /// Creates a new file that only this user can read: at `path`, or at `path.1` and so on if there is one.
  init(creating path: String) throws(Errno) {
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
    let end = try Errno.check(offset: lseek(descriptor.rawValue, 0, SEEK_CUR))
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor.rawValue, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if Errno.current != .interrupted {
        let error = Errno.current
        // A line that was written in part is taken away; if that fails, it is the last one.
        _ = ftruncate(descriptor.rawValue, end)
        _ = lseek(descriptor.rawValue, end, SEEK_SET)
        throw error
      }
    }
  }
}

nonisolated extension Errno {
  fileprivate static func check(offset: off_t) throws(Errno) -> off_t {
    guard offset >= 0 else { throw Errno.current }
    return offset
  }
}
