internal import Glibc

/// The directory of the saved values.
struct StateFacts: Hashable, Sendable {
  var directory: String
  /// Nil if the directory does not exist, or the caller may not see it.
  var status: FileStatus?
  /// The names in the directory; nil if the caller may not read it.
  var files: [String]?
  /// Nil: unknown.
  var freeBytes: UInt64?
  /// Nil: unknown, or the file system has no fixed number.
  var freeFiles: UInt64?
  var isReadOnly = false
  /// Whether the file system is in memory, so that the values are lost when the machine stops.
  var isInMemory = false
}

extension StateFacts {
  init(_ root: SystemRoot, _ directory: String) {
    self.init(directory: directory)
    status = root.status(directory)
    isInMemory = Self.isInMemory(directory, root.lines("/proc/self/mounts").compactMap(Mount.init))
    if status != nil, unsafe access(root.path(directory), R_OK) == 0 { files = root.names(directory) }
    var values = statvfs()
    guard unsafe statvfs(root.path(directory), &values) == 0 else { return }
    freeBytes = UInt64(values.f_bavail).multipliedReportingOverflow(by: UInt64(values.f_frsize)).partialValue
    freeFiles = values.f_files == 0 ? nil : UInt64(values.f_favail)
    isReadOnly = values.f_flag & UInt(ST_RDONLY) != 0
  }

  /// A line of proc_pid_mounts(5).
  private struct Mount {
    var point: String
    var type: String
    var options: [Substring]

    init?(_ line: String) {
      let fields = line.split(separator: " ")
      guard fields.count > 3 else { return nil }
      (point, type, options) = (String(fields[1]), String(fields[2]), fields[3].split(separator: ","))
    }

    func has(_ path: String) -> Bool { point == "/" || path == point || path.hasPrefix("\(point)/") }
  }

  /// Whether files written at a path stay in memory. An overlay writes to its upper directory.
  private static func isInMemory(_ path: String, _ mounts: [Mount]) -> Bool {
    // A later mount at the same place hides the earlier one.
    let covering = mounts.indices.reversed().filter { mounts[$0].has(path) }
    guard
      let innermost = covering.max(by: { mounts[$0].point.utf8.count < mounts[$1].point.utf8.count })
    else { return false }
    let mount = mounts[innermost]
    guard mount.type == "overlay" else { return ["tmpfs", "ramfs", "rootfs"].contains(mount.type) }
    guard let upper = mount.options.first(where: { $0.hasPrefix("upperdir=") }) else { return false }
    var others = mounts
    others.remove(at: innermost)
    return isInMemory(String(upper.dropFirst("upperdir=".count)), others)
  }
}
