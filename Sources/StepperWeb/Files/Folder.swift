internal import Glibc
internal import HTTPTypes
internal import StepperCore
internal import StepperLinux
internal import SystemPackage

/// A folder whose files are served. Paths are resolved beneath it, one name at a time: neither `..` nor a link leads out. The folder
/// itself is looked up by its path for each file, so that it may be replaced by another one.
///
/// openat2(2) could do this in one call, but systemd's RestrictSUIDSGID= forbids it.
final class Folder: Sendable {
  /// The largest file that is served, in bytes.
  static let byteLimit = 64 << 20

  let path: String

  /// Uses the folder at `path`. Throws if it cannot be opened.
  init(_ path: String) throws(Errno) {
    self.path = path
    _ = try open()
  }

  private func open() throws(Errno) -> OwnedFileDescriptor {
    try OwnedFileDescriptor(unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  }

  /// An open file with its version.
  struct File: ~Copyable, Sendable {
    let descriptor: OwnedFileDescriptor
    let size: Int
    let version: Version
  }

  struct Version: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    /// When the file was written, in seconds and nanoseconds, and when it was changed, which also shows that the first was set back.
    let times: [Int]

    /// The hash of these values.
    var text: String { Fingerprint("\(device) \(inode) \(size) \(times)".utf8).text }
  }

  /// Opens the regular file at `components`; nil: there is none that may be served. Throws if it is too large.
  func open(_ components: [String]) throws(Problem) -> File? {
    let isPlain = components.allSatisfy { name in
      !name.isEmpty && name.utf8.first != UInt8(ascii: ".")
        && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    }
    // Without the folder there are no files.
    guard isPlain, !components.isEmpty, var folder = try? open() else { return nil }
    for name in components.dropLast() {
      guard let inner = Self.open(name, in: folder.rawValue, O_DIRECTORY) else { return nil }
      folder = consume inner
    }
    // O_NONBLOCK: opening a FIFO, which is not a regular file, must not block.
    let name = components[components.count - 1]
    guard let file = Self.open(name, in: folder.rawValue, O_NONBLOCK | O_NOCTTY) else { return nil }
    guard let status = stat(of: file.rawValue), FileKind(status) == .file else { return nil }
    guard status.st_size <= Self.byteLimit else { throw .fileTooLarge }
    let version = Version(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
      times: [status.st_mtim, status.st_ctim].flatMap { [$0.tv_sec, $0.tv_nsec] })
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
  /// The `count` bytes beginning at `offset`. Throws if the file has become too short.
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
  static let filesHang = Problem(
    .serviceUnavailable, "the disk with the pages does not answer; try again later", retryAfter: 5)
  static let fileChanges = Problem(
    .serviceUnavailable, "the file is being written; try again in a moment", retryAfter: 1)
}
