internal import StepperClient
internal import StepperConfiguration
internal import StepperLinux
internal import SystemPackage
internal import Varlink

/// The status of the bridges to MQTT on this machine, from the files that they write while they run. For the daemon they are
/// ordinary clients.
struct BridgeStatus {
  /// A line for each running bridge: of this user and of the system.
  static var lines: [String] {
    let runtime = StepperAddress.environmentValue("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil }
    return [runtime, "/run"].compactMap(\.self).compactMap(line)
  }

  private static func line(of folder: String) -> String? {
    let file = FilePath("\(folder)/\(BridgeStatusFile.folder)/\(BridgeStatusFile.name)")
    // A file that cannot be read is skipped.
    guard let content = try? SmallFile(file).read(limit: 4_096) else { return nil }
    let lines = OutsideText.shown(content).split(separator: "\n", maxSplits: 1)
    guard lines.count == 2, let process = Int32(lines[0]), isBridge(process) else { return nil }
    return String(lines[1].split(separator: "\n").first ?? "")
  }

  /// Whether the process is a bridge; the file remains after a bridge is killed.
  private static func isBridge(_ process: Int32) -> Bool {
    // A process that has ended has no such file.
    let name = try? SmallFile(FilePath("/proc/\(process)/comm")).read(limit: 64)
    return name.flatMap { $0 } == Array("\(BridgeStatusFile.folder)\n".utf8)
  }
}
