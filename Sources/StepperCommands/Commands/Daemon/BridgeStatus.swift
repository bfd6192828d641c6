internal import StepperClient
internal import StepperConfiguration
internal import StepperLinux
internal import SystemPackage
internal import Varlink

/// The status of the bridges on this machine, from the files that they write while they run. To the daemon they are clients as
/// others are.
struct BridgeStatus {
  /// The lines of those that run: of this user's and of the system's.
  static var lines: [String] {
    let runtime = StepperAddress.environmentValue("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil }
    return [runtime, "/run"].compactMap(\.self).compactMap(line)
  }

  private static func line(of folder: String) -> String? {
    let file = FilePath("\(folder)/\(BridgeStatusFile.folder)/\(BridgeStatusFile.name)")
    // What cannot be read is not shown.
    guard let content = try? SmallFile(file).read(limit: 4_096) else { return nil }
    let lines = OutsideText.shown(content).split(separator: "\n", maxSplits: 1)
    guard lines.count == 2, let process = Int32(lines[0]), isBridge(process) else { return nil }
    return String(lines[1].split(separator: "\n").first ?? "")
  }

  /// Whether it still runs: a file outlasts a process that was killed.
  private static func isBridge(_ process: Int32) -> Bool {
    // A process that has ended has no such file.
    let name = try? SmallFile(FilePath("/proc/\(process)/comm")).read(limit: 64)
    return name.flatMap { $0 } == Array("\(BridgeStatusFile.folder)\n".utf8)
  }
}
