internal import Glibc
package import SystemPackage

/// Makes a file with `content`, which is on the disk when this returns. A file or link that exists is left as it is, and what
/// cannot be written completely is removed again. `permissions` are reduced by the umask of the process.
///
/// The corresponding C functions are `open` with `O_EXCL`, `write` and `fsync`.
package func createFile(
  _ path: FilePath, _ content: [UInt8], permissions: FilePermissions
) throws(FileFailure) {
  let file = OwnedFileDescriptor(owning: try openNew(path, permissions))
  do throws(Errno) {
    try writeDurably(content, to: file.rawValue)
  } catch {
    removeFile(path)
    throw FileFailure("write", path, error)
  }
}

/// Writes all of `content`, which is on the disk when this returns.
func writeDurably(_ content: [UInt8], to file: CInt) throws(Errno) {
  var rest = content[...]
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { throw count < 0 ? .current : .noSpace }
    rest = rest.dropFirst(count)
  }
  guard fsync(file) == 0 else { throw .current }
}

/// Removes a file, if it is there.
package func removeFile(_ path: FilePath) { _ = unsafe unlink(path.string) }

private func openNew(_ path: FilePath, _ permissions: FilePermissions) throws(FileFailure) -> CInt {
  do throws(Errno) {
    return try openWithoutFollowing(
      path.string, O_WRONLY | O_CREAT | O_EXCL, permissions: permissions.rawValue)
  } catch {
    throw FileFailure("create", path, error)
  }
}
