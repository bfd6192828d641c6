internal import Glibc
package import SystemPackage

/// A small file that is read whole and replaced whole: whoever reads it, also after a power cut, sees the old content
/// or the new, never a mixture.
package struct AtomicFile: Hashable, Sendable {
  package let path: FilePath

  /// A failed system call on a file.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried, for example "write".
    package var operation: String
    package var path: FilePath
    package var errno: Errno

    package var description: String { "cannot \(operation) \(path): \(errno)" }
  }

  package init(_ path: FilePath) { self.path = path }

  /// The content; nil if there is no such file. One longer than `limit` bytes is refused as `EFBIG`, before it fills
  /// the memory.
  package func read(limit: Int) throws(Failure) -> [UInt8]? {
    let file: CInt
    do throws(Errno) {
      file = try openFile(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    } catch .noSuchFileOrDirectory {
      return nil
    } catch {
      throw failure("open", error)
    }
    let owner = OwnedFileDescriptor(owning: file)
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit + 1, 65536))
    while true {
      let count = unsafe Glibc.read(owner.rawValue, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("read", Errno.current) }
      if count == 0 { return content }
      guard content.count + count <= limit else { throw failure("read", .fileTooLarge) }
      content.append(contentsOf: chunk[..<count])
    }
  }

  /// Replaces the content. On any failure, a full disk for example, the old file is as it was.
  ///
  /// A symbolic link is followed, so that the link stays and its target is replaced.
  package func write(_ content: [UInt8], permissions: FilePermissions = [.ownerReadWrite]) throws(Failure) {
    let target = resolved
    // In the same directory, because `rename` is atomic only inside one file system. A left-over of a process that was
    // killed has the same name and is removed.
    let temporary = target.removingLastComponent().appending(".\(target.lastComponent?.string ?? "").new")
    do throws(Failure) {
      try writeAndSync(content, to: temporary, permissions)
      guard unsafe rename(temporary.string, target.string) == 0 else {
        throw failure("replace", Errno.current)
      }
    } catch {
      unsafe unlink(temporary.string)
      throw error
    }
    try syncDirectory(of: target)
  }

  private func writeAndSync(
    _ content: [UInt8], to temporary: FilePath, _ permissions: FilePermissions
  ) throws(Failure) {
    unsafe unlink(temporary.string)
    let file: CInt
    do throws(Errno) {
      file = try openFile(
        temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode_t(permissions.rawValue))
    } catch {
      throw failure("create a file beside", error)
    }
    let owner = OwnedFileDescriptor(owning: file)
    var rest = content[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(owner.rawValue, bytes.baseAddress, bytes.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("write", Errno.current) }
      rest = rest.dropFirst(count)
    }
    guard fsync(owner.rawValue) == 0 else { throw failure("write", Errno.current) }
  }

  /// Without it a power cut may undo the `rename`.
  private func syncDirectory(of target: FilePath) throws(Failure) {
    let parent = target.removingLastComponent()
    let directory = parent.isEmpty ? FilePath(".") : parent
    let file: CInt
    do throws(Errno) {
      file = try openFile(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    } catch .permissionDenied {
      // A directory that may be searched and written, but not read, cannot be opened: leave it to the kernel.
      return
    } catch {
      throw failure("open the directory of", error)
    }
    let owner = OwnedFileDescriptor(owning: file)
    // Some file systems (FUSE, old network ones) cannot sync a directory and say EINVAL.
    guard fsync(owner.rawValue) == 0 || errno == EINVAL else {
      throw failure("sync the directory of", Errno.current)
    }
  }

  private func openFile(_ path: FilePath, _ flags: CInt, _ mode: mode_t = 0) throws(Errno) -> CInt {
    while true {
      let file = unsafe open(path.string, flags, mode)
      if file >= 0 { return file }
      guard errno == EINTR else { throw Errno.current }
    }
  }

  /// `path`, or what it finally points to.
  private var resolved: FilePath {
    guard let target = unsafe realpath(path.string, nil) else { return path }
    defer { unsafe free(target) }
    return unsafe FilePath(String(cString: target))
  }

  private func failure(_ operation: String, _ errno: Errno) -> Failure {
    Failure(operation: operation, path: path, errno: errno)
  }
}
