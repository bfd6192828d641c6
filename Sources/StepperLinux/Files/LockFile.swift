internal import Glibc
package import SystemPackage
internal import Varlink

/// A file whose lock shows that a process is running. The kernel releases the lock when the process ends.
///
/// The process ID is written into the file, for people and for ``LockFailure/held(path:by:)``.
package struct LockFile: ~Copyable {
  private let descriptor: OwnedFileDescriptor
  private let path: String

  /// Takes the lock without waiting; creates the file if it does not exist.
  package init(_ path: FilePath) throws(LockFailure) {
    descriptor = OwnedFileDescriptor(owning: try lock(path.string, in: AT_FDCWD, shownAs: path))
    self.path = path.string
  }

  /// Whether the file is still at its path, so that other processes find the lock.
  package var isInPlace: Bool { isLock(descriptor.rawValue, at: path, in: AT_FDCWD) }

  deinit {
    // A process that has opened the file finds, once it gets the lock, that the file was removed, and creates
    // another.
    if isInPlace { _ = unsafe unlink(path) }
  }
}

/// The reason why a lock could not be taken.
package enum LockFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another process holds the lock; `by` is nil if the file does not contain its process ID.
  case held(path: FilePath, by: Int32?)
  case failed(FileFailure)

  package var description: String {
    switch self {
    case .held(let path, let process):
      "\(process.map { "process \($0)" } ?? "another process") has locked \(path)"
    case .failed(let failure): "\(failure)"
    }
  }
}

/// Opens and locks the file `name` in `directory`; messages call it `path`.
func lock(_ name: String, in directory: CInt, shownAs path: FilePath) throws(LockFailure) -> CInt {
  // Repeats only if another process removed the file in between.
  for _ in 0..<100 {
    let file = OwnedFileDescriptor(owning: try openLock(name, in: directory, path))
    try take(file.rawValue, path)
    guard isLock(file.rawValue, at: name, in: directory) else { continue }
    writeProcessID(file.rawValue)
    return file.release()
  }
  throw .failed(FileFailure("lock", path, .resourceTemporarilyUnavailable))
}

/// Whether the locked `file` is the one that other processes find at `name`.
func isLock(_ file: CInt, at name: String, in directory: CInt) -> Bool {
  guard let own = stat(of: file), let found = stat(at: name, in: directory, followsLinks: false) else {
    return false
  }
  return FileIdentity(own).isSameFile(as: FileIdentity(found))
}

private func openLock(_ name: String, in directory: CInt, _ path: FilePath) throws(LockFailure) -> CInt {
  let file: CInt
  do throws(Errno) {
    do throws(Errno) {
      file = try openWithoutFollowing(name, in: directory, O_RDWR | O_CREAT, permissions: 0o600)
    } catch .readOnlyFileSystem {
      // An existing file can be locked without write permission.
      file = try openWithoutFollowing(name, in: directory, O_RDONLY)
    }
  } catch .tooManySymbolicLinkLevels {
    throw .failed(FileFailure(operation: "lock", path: path, reason: .kind(.symbolicLink)))
  } catch {
    throw .failed(FileFailure("open", path, error))
  }
  let kind = stat(of: file).map { FileKind($0) } ?? .device
  guard kind == .file else {
    close(file)
    throw .failed(FileFailure(operation: "lock", path: path, reason: .kind(kind)))
  }
  return file
}

private func take(_ file: CInt, _ path: FilePath) throws(LockFailure) {
  while flock(file, LOCK_EX | LOCK_NB) != 0 {
    switch Errno.current {
    case .interrupted: continue
    case .wouldBlock, .resourceTemporarilyUnavailable: throw .held(path: path, by: holder(file))
    case let error: throw .failed(FileFailure("lock", path, error))
    }
  }
}

private func holder(_ file: CInt) -> Int32? {
  let text = OutsideText.shown(readAll(file, limit: 16).content)
  guard let process = text.split(separator: "\n").first.flatMap({ Int32($0) }), process > 0 else {
    return nil
  }
  // The number may belong to a process that has ended.
  return kill(process, 0) == 0 || errno == EPERM ? process : nil
}

/// Writes the process ID to the file. Errors are ignored, because the lock is valid without it.
private func writeProcessID(_ file: CInt) {
  // In another user's directory, the file might be a hard link to a file of this process's user.
  guard let status = stat(of: file), status.st_nlink == 1, status.st_uid == geteuid() else { return }
  let text = "\(getpid())\n"
  guard ftruncate(file, 0) == 0 else { return }
  _ = unsafe pwrite(file, text, text.utf8.count, 0)
}
