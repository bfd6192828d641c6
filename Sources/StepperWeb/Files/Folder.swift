internal import Glibc
internal import HTTPTypes
internal import StepperCore
internal import StepperLinux
internal import SystemPackage

/// A folder whose files are served. Paths are resolved beneath it, one name at a time: neither `..` nor a link leads out.
/// It is found by its own path for each file, so that another folder may take its place.
///
/// openat2(2) would do it in one call, but systemd's RestrictSUIDSGID= forbids that call.
final class Folder: Sendable {
  /// The largest file that is served.
  static let byteLimit = 64 << 20

  let path: String

  /// The folder `path`; throws if it cannot be opened.
  init(_ path: String) throws(Errno) {
    self.path = path
    _ = try open()
  }

  private func open() throws(Errno) -> OwnedFileDescriptor {
    try OwnedFileDescriptor(unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  }

  /// An open file, and what distinguishes its versions.
  struct File: ~Copyable {
    let descriptor: OwnedFileDescriptor
    let size: Int
    let version: Version
  }

  struct Version: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let written: Time
    /// Also where the time of writing was set back.
    let changed: Time

    /// The hash of these.
    var text: String {
      let times = [written, changed].flatMap { [$0.seconds, $0.nanoseconds] }
      return Fingerprint("\(device) \(inode) \(size) \(times)".utf8).text
    }
  }

  struct Time: Hashable, Sendable {
    let seconds: Int64
    let nanoseconds: Int64

    init(_ time: timespec) { (seconds, nanoseconds) = (Int64(time.tv_sec), Int64(time.tv_nsec)) }
  }

  /// Opens the regular file at `components`; nil if there is none that may be served. Throws if it is too large.
  func open(_ components: [String]) throws(Problem) -> File? {
    let isPlain = components.allSatisfy { name in
      !name.isEmpty && !name.hasPrefix(".") && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    }
    // Where the folder is gone, its files are.
    guard isPlain, !components.isEmpty, var folder = try? open() else { return nil }
    for name in components.dropLast() {
      guard let inner = Self.open(name, in: folder.rawValue, O_DIRECTORY) else { return nil }
      folder = consume inner
    }
    // O_NONBLOCK: a FIFO is not a regular file, and must not be waited for.
    let name = components[components.count - 1]
    guard let file = Self.open(name, in: folder.rawValue, O_NONBLOCK | O_NOCTTY) else { return nil }
    var status = stat()
    guard unsafe fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    guard status.st_size <= Self.byteLimit else { throw .fileTooLarge }
    let version = Version(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
      written: Time(status.st_mtim), changed: Time(status.st_ctim))
    return File(descriptor: file, size: Int(status.st_size), version: version)
  }
}

extension Folder {
  /// Opens one name in a folder for reading, unless it is a link.
  private static func open(_ name: String, in folder: CInt, _ flags: CInt) -> OwnedFileDescriptor? {
    let result = unsafe openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags)
    return result >= 0 ? OwnedFileDescriptor(owning: result) : nil
  }
}

extension Folder.File {
  /// The `count` bytes from `offset` on. Throws if the file does not have them any more.
  borrowing func bytes(at offset: Int, count: Int) throws -> [UInt8] {
    var error: Errno?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let place = unsafe buffer.baseAddress.map { unsafe $0 + filled }
        let result = unsafe pread(descriptor.rawValue, place, count - filled, off_t(offset + filled))
        if result < 0, errno == EINTR { continue }
        if result < 0 { error = Errno.current }
        guard result > 0 else { return }
        filled += result
      }
    }
    if let error { throw error }
    guard bytes.count == count else { throw Problem.fileChanges }
    return bytes
  }
}

extension Problem {
  fileprivate static let fileTooLarge = Problem(
    .forbidden, "the file is larger than \(Folder.byteLimit >> 20) MiB, the most that is served")
  static let fileChanges = Problem(
    .serviceUnavailable, "the file is being written; try again in a moment", retryAfter: 1)
}
