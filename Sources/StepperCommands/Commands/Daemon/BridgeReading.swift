internal import StepperClient
internal import StepperConfiguration
internal import Varlink

/// The status of a running bridge, read from the file that the bridge writes. For the daemon a bridge is an ordinary
/// client.
struct BridgeReading: Hashable, Sendable {
  var program: BridgeProgram
  /// The status in one line.
  var status: String
  var metrics: [ManagerInterface.Metric]
  /// Whether the bridge runs for a user and not for the system.
  var isUsers = false

  private static let systemFolder = "/run"
  /// 32 links with their mutes take 50 KB.
  private static let limit = 256 << 10

  /// The bridges of this user and those of the system.
  static var all: [Self] { all(SystemRoot(), runtime: StepperAddress.environmentValue("XDG_RUNTIME_DIR")) }

  /// The bridges on a system; `runtime` is the user's runtime directory.
  static func all(_ root: SystemRoot, runtime: String?) -> [Self] {
    let folders = [runtime.flatMap { $0.hasPrefix("/") ? $0 : nil }, systemFolder].compactMap(\.self)
    return BridgeProgram.allCases.flatMap { program in folders.compactMap { Self(root, program, $0) } }
  }

  /// Whether a metric of this name has a value other than `value`, for any object.
  func has(_ metric: String, otherThan value: Double) -> Bool {
    metrics.contains { $0.name == metric && $0.value != value }
  }
}

extension BridgeReading {
  fileprivate init?(_ root: SystemRoot, _ program: BridgeProgram, _ folder: String) {
    let file = "\(folder)/\(program.rawValue)/\(BridgeProgram.statusFile)"
    // A file that cannot be read is skipped.
    guard let lines = root.text(file, limit: Self.limit)?.split(separator: "\n"), lines.count >= 2,
      let process = Int32(lines[0]),
      // The file remains after a bridge is killed.
      root.line("/proc/\(process)/comm") == program.rawValue
    else { return nil }
    let metrics = lines.dropFirst(2).compactMap { line in
      // A metric of another version may not be understood.
      try? VarlinkParameters(json: line.utf8).decode(ManagerInterface.Metric.self)
    }
    self.init(
      program: program, status: String(lines[1]), metrics: metrics, isUsers: folder != Self.systemFolder)
  }
}
