internal import CLinux
internal import Glibc
package import SystemPackage
internal import Varlink

/// A file that is replaced as a whole: a reader finds either the former content or the new one. Unlike a
/// ``StateFile`` it may belong to another user, and be in a directory with files of other programs.
///
/// A symbolic link is followed if it belongs to root or this user: the file that it leads to is replaced. The new
/// file has the owner, mode, access control list and other extended attributes of the former one; if the owner cannot
/// be set, it is this user.
package struct ReplacedFile: Sendable {
  /// The path without symbolic links.
  package let path: FilePath
  /// Whether the file exists.
  package let exists: Bool

  /// Throws ``FileFailure/Reason/kind(_:)`` if `path` is not a regular file, for example a device, and
  /// ``FileFailure/Reason/owner(_:)`` for a link of another user, who could otherwise make this user replace any
  /// file.
  package init(_ path: FilePath) throws(FileFailure) {
    var status = stat()
    guard unsafe lstat(path.string, &status) == 0 else {
      guard errno == ENOENT else { throw FileFailure("write", path) }
      (self.path, exists) = (path, false)
      return
    }
    if FileKind(status) == .symbolicLink {
      guard [0, geteuid()].contains(status.st_uid) else {
        throw FileFailure(operation: "follow", path: path, reason: .owner(status.st_uid))
      }
      guard unsafe stat(path.string, &status) == 0 else { throw FileFailure("follow", path) }
    }
    let kind = FileKind(status)
    guard kind == .file else { throw FileFailure(operation: "write", path: path, reason: .kind(kind)) }
    guard let real = realPath(path.string) else { throw FileFailure("follow", path) }
    (self.path, exists) = (FilePath(real), true)
  }

  /// Whether the file is itself a mount point, as in a container: then it cannot be replaced.
  package var isMountPoint: Bool {
    // Without /proc, only the replacement shows that.
    let mounts = (try? SmallFile("/proc/self/mountinfo").read(limit: 4 << 20)) ?? []
    return OutsideText.shown(mounts).split(separator: "\n").contains {
      $0.split(separator: " ").dropFirst(4).first == path.string[...]
    }
  }

  /// Replaces the content, which is on disk when this returns. A new file has `permissions`, whatever the process's
  /// umask. If this throws, the file is unchanged.
  package func write(_ content: [UInt8], permissions: FilePermissions) throws(FileFailure) {
    let directory: OwnedFileDescriptor
    do throws(Errno) {
      let folder = path.removingLastComponent()
      directory = try OwnedFileDescriptor(
        unsafe open(folder.isEmpty ? "." : folder.string, open_path_only | O_DIRECTORY | O_CLOEXEC))
    } catch {
      throw FileFailure("write", path, error)
    }
    let name = path.lastComponent?.string ?? ""
    let temporary = temporaryName(for: name)
    let file = try createSuccessor(of: path, in: directory.rawValue, content) { file throws(Errno) in
      if exists { try copyAttributes(to: file) } else { try Errno.check(fchmod(file, permissions.rawValue)) }
    }
    // Another process that is writing the same file has removed this temporary file.
    guard isLock(file.rawValue, at: temporary, in: directory.rawValue) else {
      throw FileFailure("write", path, .resourceBusy)
    }
    guard unsafe renameat(directory.rawValue, temporary, directory.rawValue, name) == 0 else {
      let failure = FileFailure("write", path)
      _ = unsafe unlinkat(directory.rawValue, temporary, 0)
      throw failure
    }
  }

  /// Creates a file with the attributes of this one. Throws `EEXIST` if `copy` exists, and leaves it unchanged.
  package func createCopy(_ copy: FilePath, _ content: [UInt8]) throws(FileFailure) {
    _ = try createFile(copy.string, for: copy, content, permissions: 0o600, prepare: copyAttributes)
  }

  /// Copies owner, extended attributes and mode. The group and the mask of an access control list are bits of the
  /// mode.
  private func copyAttributes(to file: CInt) throws(Errno) {
    guard var former = stat(at: path.string), let new = stat(of: file) else { throw .current }
    if (former.st_uid, former.st_gid) != (new.st_uid, new.st_gid),
      fchown(file, former.st_uid, former.st_gid) < 0
    {
      guard Errno.current == .notPermitted else { throw Errno.current }
      former.st_mode &= 0o777
    }
    let names = extendedAttributeNames(of: path.string)
    // The new file may have got an access control list from the directory.
    if !names.contains(Self.accessControl) { unsafe fremovexattr(file, Self.accessControl) }
    for name in names where !Self.ofContent.contains(name) {
      guard let value = extendedAttribute(name, of: path.string),
        unsafe fsetxattr(file, name, value, value.count, 0) != 0
      else { continue }
      let error = Errno.current
      // A security label may be inherited from the directory, and this user may not be permitted to set it.
      guard name != Self.accessControl, [.notPermitted, .notSupported, .permissionDenied].contains(error)
      else { throw error }
    }
    try Errno.check(fchmod(file, former.st_mode & 0o7777))
  }

  private static let accessControl = "system.posix_acl_access"
  /// Attributes that are signatures of the former content.
  private static let ofContent = ["security.ima", "security.evm"]
}
