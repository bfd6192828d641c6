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

/// The path of the running program; nil if `/proc` is unavailable.
package var executablePath: FilePath? {
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
  guard count > 0 else { return nil }
  // The kernel's, which is only opened.
  return FilePath(String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self))
}
