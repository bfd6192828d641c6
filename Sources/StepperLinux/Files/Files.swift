internal import CLinux
internal import Glibc
package import SystemPackage
internal import Varlink

/// Creates a directory and its parents; existing directories are unchanged.
///
/// The corresponding C function is `mkdir`.
package func createDirectory(_ path: FilePath, permissions: FilePermissions) throws(FileFailure) {
  if let status = stat(at: path.string) {
    guard FileKind(status) == .directory else { throw FileFailure("use", path, .notDirectory) }
    return
  }
  let parent = path.removingLastComponent()
  if !parent.isEmpty, parent != path { try createDirectory(parent, permissions: permissions) }
  // Another process may have created the directory in the meantime.
  guard unsafe mkdir(path.string, permissions.rawValue) == 0 || errno == EEXIST else {
    throw FileFailure("create the directory", path)
  }
}

/// The path without symbolic links; nil if it leads nowhere, or is not text.
///
/// The corresponding C function is `realpath`.
package func realPath(_ path: String) -> String? {
  guard let real = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(real) }
  return unsafe OutsideText(real, atMost: Int(PATH_MAX))?.text
}

/// At most `most` names in a directory, without `.` and `..`, in the order of the file system; none if the directory
/// cannot be read.
///
/// The corresponding C function is `readdir`.
package func names(inDirectory path: String, upTo most: Int = .max) -> [String] {
  unsafe opendir(path).map { unsafe names($0, upTo: most) } ?? []
}

/// The names in the directory of `stream`, which is closed.
func names(_ stream: OpaquePointer, upTo most: Int = .max) -> [String] {
  defer { unsafe closedir(stream) }
  var names: [String] = []
  while names.count < most, let entry = unsafe readdir(stream) {
    let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      unsafe OutsideText.shown(bytes.prefix { $0 != 0 })
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}

/// The effective user of this process.
package var effectiveUserID: UInt32 { geteuid() }

/// The target of a symbolic link; nil if `path` is not a symbolic link.
///
/// The corresponding C function is `readlink`.
package func linkTarget(_ path: FilePath) -> FilePath? {
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  // The last byte stays zero, to end the text.
  let count = unsafe readlink(path.string, &buffer, buffer.count - 1)
  return count > 0 ? FilePath(platformString: buffer) : nil
}

/// The path of the running program; nil if `/proc` is unavailable.
package var executablePath: FilePath? { linkTarget("/proc/self/exe") }
