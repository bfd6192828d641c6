internal import Glibc
internal import SystemPackage

/// Whether a process of the group other than its leader is running, according to `/proc`.
///
/// Call it before the leader is reaped: until then the number is unique to this group. A test with a signal does not
/// work: the kernel counts the leader until it is reaped, and afterwards the number may belong to another group.
func hasMembers(ofGroup group: pid_t) -> Bool {
  guard let directory = unsafe opendir("/proc") else { return false }
  defer { unsafe closedir(directory) }
  while let entry = unsafe readdir(directory) {
    let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    guard let process = pid_t(name), process != group, getpgid(process) == group else { continue }
    if isRunning(process) { return true }
  }
  return false
}

/// Whether the process exists and is not a zombie.
private func isRunning(_ process: pid_t) -> Bool {
  // A process that has ended in the meantime is not running.
  guard let content = try? SmallFile(FilePath("/proc/\(process)/stat")).read(limit: 4_096) else {
    return false
  }
  // The name, which may contain any character, is in parentheses; the state is the letter after it.
  guard let end = content.lastIndex(of: UInt8(ascii: ")")), end + 2 < content.count else { return false }
  return ![UInt8(ascii: "Z"), UInt8(ascii: "X")].contains(content[end + 2])
}
