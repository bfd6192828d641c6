internal import StepperClient
internal import StepperConfiguration

/// The status of the bridges to MQTT on this machine, from the files that they write while they run. For the daemon they are
/// ordinary clients.
struct BridgeStatus {
  /// A line for each running bridge: of this user and of the system.
  static var lines: [String] {
    lines(SystemRoot(), runtime: StepperAddress.environmentValue("XDG_RUNTIME_DIR"))
  }

  /// On a system; `runtime` is the user's folder for files of run time.
  static func lines(_ root: SystemRoot, runtime: String?) -> [String] {
    [runtime.flatMap { $0.hasPrefix("/") ? $0 : nil }, "/run"].compactMap(\.self).compactMap {
      line(root, $0)
    }
  }

  private static func line(_ root: SystemRoot, _ folder: String) -> String? {
    let file = "\(folder)/\(BridgeStatusFile.folder)/\(BridgeStatusFile.name)"
    // A file that cannot be read is skipped.
    guard let lines = root.text(file, limit: 4_096)?.split(separator: "\n"), lines.count >= 2,
      let process = Int32(lines[0]),
      // The file remains after a bridge is killed.
      root.line("/proc/\(process)/comm") == BridgeStatusFile.folder
    else { return nil }
    return String(lines[1])
  }
}
