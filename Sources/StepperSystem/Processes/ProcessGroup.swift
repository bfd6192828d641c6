internal import Glibc
internal import SystemPackage

/// Whether a process of the group still runs besides its leader, by what `/proc` shows of every process.
///
/// The leader must not be reaped yet: until then the number is this group's alone. To ask by a signal is no way, for the
/// kernel counts the leader until it is reaped, and then the number may be another group's.
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

/// Whether the process is more than a zombie.
private func isRunning(_ process: pid_t) -> Bool {
  // Who is gone meanwhile does not run.
  guard let content = try? SmallFile(FilePath("/proc/\(process)/stat")).read(limit: 4_096) else {
    return false
  }
  // The name, which may be anything, is in parentheses; the state is the letter after it.
  guard let end = content.lastIndex(of: UInt8(ascii: ")")), end + 2 < content.count else { return false }
  return ![UInt8(ascii: "Z"), UInt8(ascii: "X")].contains(content[end + 2])
}
