internal import Glibc
internal import StepperLinux
internal import SystemPackage

/// A folder whose files are served. Paths are resolved beneath it, one name at a time: neither `..` nor a link leads out.
///
/// openat2(2) would do it in one call, but systemd's RestrictSUIDSGID= forbids that call.
final class Folder: Sendable {
  /// The largest file that is served.
  static let byteLimit = 64 << 20

  let path: String
  private let descriptor: OwnedFileDescriptor

  /// Opens the folder `path`.
  init(_ path: String) throws(Errno) {
    self.path = path
    descriptor = try OwnedFileDescriptor(unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
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
    let seconds: Int64
    let nanoseconds: Int64
  }

  /// Opens the regular file at `components`; nil if there is none that may be served.
  func open(_ components: [String]) -> File? {
    let isPlain = components.allSatisfy { name in
      !name.isEmpty && !name.hasPrefix(".") && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    }
    guard isPlain, !components.isEmpty else { return nil }
    var folder: OwnedFileDescriptor?
    for name in components.dropLast() {
      guard let inner = Self.open(name, in: folder?.rawValue ?? descriptor.rawValue, O_DIRECTORY) else {
        return nil
      }
      folder = consume inner
    }
    // O_NONBLOCK: a FIFO is not a regular file, and must not be waited for.
    let name = components[components.count - 1]
    guard let file = Self.open(name, in: folder?.rawValue ?? descriptor.rawValue, O_NONBLOCK | O_NOCTTY)
    else { return nil }
    var status = stat()
    guard unsafe fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= Self.byteLimit
    else { return nil }
    let version = Version(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
      seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
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
  /// The bytes from `offset` on, at most `count`; fewer at the end of the file.
  borrowing func bytes(at offset: Int, count: Int) throws(Errno) -> [UInt8] {
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
    return bytes
  }
}
