internal import Glibc
package import SystemPackage

/// Creates a file with `content`, which is on disk when this returns. An existing file or link is left unchanged, and
/// a file that cannot be written completely is removed again. `permissions` are reduced by the umask of the process.
///
/// The corresponding C functions are `open` with `O_EXCL`, `write` and `fsync`.
package func createFile(
  _ path: FilePath, _ content: [UInt8], permissions: FilePermissions
) throws(FileFailure) {
  _ = try createFile(path.string, for: path, content, permissions: permissions.rawValue)
}

/// The same in `directory`: creates `name`, which is `path` itself or will be renamed to it; messages name `path`.
/// `prepare` is called before anything is written. Returns the open file.
func createFile(
  _ name: String, in directory: CInt = AT_FDCWD, for path: FilePath, _ content: [UInt8], permissions: mode_t,
  prepare: (_ file: CInt) throws(Errno) -> Void = { _ in }
) throws(FileFailure) -> OwnedFileDescriptor {
  let file: OwnedFileDescriptor
  do throws(Errno) {
    file = OwnedFileDescriptor(
      owning: try openWithoutFollowing(
        name, in: directory, O_WRONLY | O_CREAT | O_EXCL, permissions: permissions))
  } catch {
    throw FileFailure(
      "create", path.removingLastComponent().appending(FilePath(name).lastComponent?.string ?? ""), error)
  }
  do throws(Errno) {
    try prepare(file.rawValue)
    try writeAll(content, to: file.rawValue)
    try Errno.check(fsync(file.rawValue))
  } catch {
    _ = unsafe unlinkat(directory, name, 0)
    throw FileFailure("write", path, error)
  }
  return file
}

/// The name of the new file that is to replace `name`.
func temporaryName(for name: String) -> String { ".\(name).new" }

/// Creates the file that is to replace `path`, in `directory`; see `createFile`. A file that a killed process has
/// left is removed.
func createSuccessor(
  of path: FilePath, in directory: CInt, _ content: [UInt8], prepare: (_ file: CInt) throws(Errno) -> Void
) throws(FileFailure) -> OwnedFileDescriptor {
  let name = temporaryName(for: path.lastComponent?.string ?? "")
  _ = unsafe unlinkat(directory, name, 0)
  return try createFile(name, in: directory, for: path, content, permissions: 0o600, prepare: prepare)
}

/// Writes all of `content`. May wait for the disk.
package func writeAll(_ content: [UInt8], to file: CInt) throws(Errno) {
  var rest = content[...]
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { throw count < 0 ? .current : .noSpace }
    rest = rest.dropFirst(count)
  }
}

/// Removes a file, if it exists.
package func removeFile(_ path: FilePath) { _ = unsafe unlink(path.string) }
