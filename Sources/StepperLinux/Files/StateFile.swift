internal import Glibc
package import SystemPackage

/// A file of state in a private directory that one process uses at a time. It is read completely, and replaced as a
/// whole, with the former version kept beside it. A file that was neither read nor written here is never destroyed.
///
/// `NAME` is the newer generation, `NAME` with `.previous` before its extension the older one, `NAME.DATE` a file
/// that was set aside, and `lock` the lock of the process that uses the directory. Every reader, also after a power
/// failure, finds the former content or the new one in `NAME`, never a mixture.
///
/// The path of the directory may lead through symbolic links, because it comes from the administrator. The files in
/// the directory are opened relative to it without following links, because it may belong to another user.
///
/// All methods may wait for the disk. This is a value that is passed to the writing thread and back, so that only one
/// thread has it at a time.
package struct StateFile: Sendable {
  package let directory: FilePath
  package let name: String
  /// The descriptor of the directory; -1: not open.
  var descriptor: CInt = -1
  private var lock: CInt = -1
  /// Whether every user may read the file.
  private var isPublic = false
  /// The identity of the newer generation, if it may be replaced.
  private var known: FileIdentity?

  package init(_ name: String, in directory: FilePath) {
    self.directory = directory
    self.name = name
  }

  /// Another file in the same open directory, under the same lock.
  package func beside(_ name: String, isPublic: Bool = false) -> StateFile {
    var other = StateFile(name, in: directory)
    (other.descriptor, other.lock, other.isPublic) = (descriptor, lock, isPublic)
    return other
  }

  package var path: FilePath { path(of: .newer) }
  package func path(of generation: Generation) -> FilePath { directory.appending(name(of: generation)) }
  var previousName: String {
    let parts = name.split(separator: ".")
    return "\(parts.dropLast().joined(separator: ".")).previous.\(parts.last ?? "")"
  }

  // MARK: The directory

  /// Creates the directory if it does not exist, opens and locks it. On later calls, does so again only if the path
  /// leads to another directory by now.
  package mutating func open() throws(LockFailure) {
    if descriptor < 0 || !isInPlace {
      close()
      do throws(FileFailure) {
        try createDirectory(directory, permissions: .ownerReadWriteExecute)
      } catch {
        throw .failed(error)
      }
      // Follows links: the configured path of the directory may be a link.
      descriptor = unsafe Glibc.open(directory.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .failed(FileFailure("open", directory)) }
    }
    if lock >= 0, isLock(lock, at: Self.lockName, in: descriptor) { return }
    if lock >= 0 { Glibc.close(lock) }
    lock = -1
    lock = try StepperLinux.lock(Self.lockName, in: descriptor, shownAs: directory.appending(Self.lockName))
  }

  /// Whether the directory is open for reading; after ``open()`` has failed, it may be open without the lock.
  package var isOpen: Bool { descriptor >= 0 }

  package mutating func close() {
    if lock >= 0 { Glibc.close(lock) }
    if descriptor >= 0 { Glibc.close(descriptor) }
    (lock, descriptor) = (-1, -1)
  }

  private var isInPlace: Bool {
    guard let own = stat(of: descriptor), let found = stat(at: directory.string) else { return false }
    return FileIdentity(own).isSameFile(as: FileIdentity(found))
  }

  private static let lockName = "lock"

  // MARK: Reading

  package enum Generation: CaseIterable, Hashable, Sendable { case newer, older }

  /// The result of reading a generation.
  package enum Found: Hashable, Sendable {
    case nothing
    /// `problem` is the reason why the content is incomplete; nil if it is complete.
    case content([UInt8], problem: String?)
    case unusable(FileFailure)
  }

  func name(of generation: Generation) -> String { generation == .newer ? name : previousName }

  /// Reads at most `limit` bytes; requires ``open()``. Only regular files of this user or of root are read.
  package mutating func read(_ generation: Generation, limit: Int) -> Found {
    let name = name(of: generation)
    do throws(FileFailure) {
      guard let status = try status(of: name) else { return .nothing }
      let kind = FileKind(status)
      guard kind == .file else { throw failure("read", name, .kind(kind)) }
      guard [0, geteuid()].contains(status.st_uid) else { throw failure("read", name, .owner(status.st_uid)) }
      let file = OwnedFileDescriptor(owning: try open(name, O_RDONLY, "open"))
      if generation == .newer { known = FileIdentity(status) }
      let (content, end) = readAll(file.rawValue, limit: limit)
      if case .failed(let error) = end, failure("read", name, .errno(error)).isShortage {
        throw failure("read", name, .errno(error))
      }
      return switch end {
      case .complete: .content(content, problem: nil)
      case .tooLong: .content(content, problem: "it has more than \(limit) bytes")
      case .failed(let error): .content(content, problem: "it cannot be read to its end: \(error)")
      }
    } catch {
      return .unusable(error)
    }
  }

  // MARK: Writing

  /// Replaces the newer generation, which becomes the older one. If a file was set aside because it was neither read
  /// nor written here, returns its new name.
  ///
  /// After a failure both generations exist as before, except that the newer one may already have the new content;
  /// the next attempt completes the rest.
  package mutating func write(_ content: [UInt8]) throws(LockFailure) -> String? {
    try open()
    let temporaryName = temporaryName(for: name)
    do throws(FileFailure) {
      let isPublic = isPublic
      let file = try createSuccessor(of: path, in: descriptor, content) { file in
        // Regardless of the umask of the service.
        if isPublic { _ = fchmod(file, 0o644) }
      }
      // Renaming does not change the identity. It is read first, so that it is known even if a later step fails.
      guard let status = stat(of: file.rawValue) else { throw failure("look at", temporaryName) }
      let displaced = try keepFormer()
      guard unsafe renameat(descriptor, temporaryName, descriptor, name) == 0 else {
        throw failure("replace", name)
      }
      known = FileIdentity(status)
      // Without this, a power failure may undo the renaming. Some file systems (FUSE, old network ones) do not
      // support it and return EINVAL.
      guard fsync(descriptor) == 0 || errno == EINVAL else {
        throw FileFailure("sync the directory", directory)
      }
      return displaced
    } catch {
      // The temporary file would use space that other programs may need.
      _ = unsafe unlinkat(descriptor, temporaryName, 0)
      throw .failed(error)
    }
  }

  /// Makes the present file the older generation, which keeps its present name too; an unknown file is set aside
  /// instead.
  private mutating func keepFormer() throws(FileFailure) -> String? {
    guard let status = try status(of: name) else { return nil }
    guard FileIdentity(status) == known else { return try setAside(.newer) }
    if let former = try self.status(of: previousName), FileKind(former) != .file { try setAside(.older) }
    let link = temporaryName(for: previousName)
    _ = unsafe unlinkat(descriptor, link, 0)
    guard unsafe linkat(descriptor, name, descriptor, link, 0) == 0 else {
      // FAT and some network file systems have no hard links. There, the newer generation is missing for a short
      // time.
      guard [.notPermitted, .notSupported, .tooManyLinks].contains(Errno.current) else {
        throw Errno.current == .fileExists ? failure("create", link) : failure("keep", name)
      }
      guard unsafe renameat(descriptor, name, descriptor, previousName) == 0 else {
        throw failure("keep", name)
      }
      return nil
    }
    guard unsafe renameat(descriptor, link, descriptor, previousName) == 0 else {
      throw failure("keep", name)
    }
    // The link still exists if a former save failed between the two renames, so that both names were the same file.
    _ = unsafe unlinkat(descriptor, link, 0)
    return nil
  }

  // MARK: Calls

  func status(of name: String) throws(FileFailure) -> stat? {
    do throws(Errno) {
      return try statusWithoutFollowing(name, in: descriptor)
    } catch {
      throw failure("look at", name, .errno(error))
    }
  }

  private func open(_ name: String, _ flags: CInt, _ operation: String) throws(FileFailure) -> CInt {
    do throws(Errno) {
      return try openWithoutFollowing(name, in: descriptor, flags, permissions: 0o600)
    } catch {
      throw failure(operation, name, .errno(error))
    }
  }

  func failure(
    _ operation: String, _ name: String, _ reason: FileFailure.Reason? = nil
  ) -> FileFailure {
    FileFailure(
      operation: operation, path: directory.appending(name), reason: reason ?? .errno(.current))
  }

  /// Prevents the newer generation from being replaced.
  mutating func forget() { known = nil }
}
