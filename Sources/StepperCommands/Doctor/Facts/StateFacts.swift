internal import Glibc

/// The directory of the saved values.
struct StateFacts: Hashable, Sendable {
  var directory: String
  /// Nil: it does not exist, or the caller may not see it.
  var status: FileStatus?
  /// The names in it; nil: the caller may not read it.
  var files: [String]?
  /// Nil: unknown.
  var freeBytes: UInt64?
  /// Nil: unknown, or the file system has no fixed number.
  var freeFiles: UInt64?
  var isReadOnly = false
}

extension StateFacts {
  init(_ root: SystemRoot, _ directory: String) {
    self.init(directory: directory)
    status = root.status(directory)
    if status != nil, unsafe access(root.path(directory), R_OK) == 0 { files = root.names(directory) }
    var values = statvfs()
    guard unsafe statvfs(root.path(directory), &values) == 0 else { return }
    freeBytes = UInt64(values.f_bavail).multipliedReportingOverflow(by: UInt64(values.f_frsize)).partialValue
    freeFiles = values.f_files == 0 ? nil : UInt64(values.f_favail)
    isReadOnly = values.f_flag & UInt(ST_RDONLY) != 0
  }
}
