internal import CLinux
internal import Glibc
package import SystemPackage
internal import Varlink

/// Creates a directory and its parents; existing ones are unchanged.
///
/// The corresponding C function is `mkdir`.
package func createDirectory(_ path: FilePath, permissions: FilePermissions) throws(FileFailure) {
  var status = stat()
  if unsafe stat(path.string, &status) == 0 {
    guard FileKind(status) == .directory else { throw FileFailure("use", path, .notDirectory) }
    return
  }
  let parent = path.removingLastComponent()
  if !parent.isEmpty, parent != path { try createDirectory(parent, permissions: permissions) }
  // Another process may have created it in the meantime.
  guard unsafe mkdir(path.string, permissions.rawValue) == 0 || errno == EEXIST else {
    throw FileFailure("create the directory", path)
  }
}

/// The path without symbolic links; nil: it leads nowhere, or is no text.
///
/// The corresponding C function is `realpath`.
package func realPath(_ path: String) -> String? {
  guard let real = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(real) }
  return unsafe OutsideText(real, atMost: Int(PATH_MAX))?.text
}

/// The effective user of this process.
package var effectiveUserID: UInt32 { geteuid() }

/// The target of a symbolic link; nil if it is none.
///
/// The corresponding C function is `readlink`.
package func linkTarget(_ path: FilePath) -> FilePath? {
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  // The last byte stays zero, as the end.
  let count = unsafe readlink(path.string, &buffer, buffer.count - 1)
  return count > 0 ? FilePath(platformString: buffer) : nil
}

/// The path of the running program; nil if `/proc` is unavailable.
package var executablePath: FilePath? { linkTarget("/proc/self/exe") }
