internal import Glibc
package import StepperConfiguration
package import StepperCore
package import StepperInterfaces
internal import StepperLinux
internal import StepperText
internal import SystemPackage
internal import Varlink

/// The file that `stepperctl` reads about a bridge: see ``BridgeProgram``. If a program has several processes, the file is that of the
/// first.
package final class StatusFile {
  private let program: BridgeProgram
  private let path: String?
  private var status = ""
  private var metrics: [ManagerInterface.Metric]?
  /// When the metrics are compared next.
  private var due = Instant.distantPast
  /// Whether the file belongs to another process, which may end.
  private var isAnothers = false

  private var interval: Duration { .seconds(10) }

  package init(_ program: BridgeProgram) {
    self.program = program
    if let given = environmentVariable("RUNTIME_DIRECTORY")?.split(separator: ":").first.map(String.init) {
      path = "\(given)/\(BridgeProgram.statusFile)"
    } else if let runtime = environmentVariable("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") {
      let folder = "\(runtime)/\(program.rawValue)"
      unsafe mkdir(folder, 0o700)
      path = "\(folder)/\(BridgeProgram.statusFile)"
    } else {
      path = nil
    }
  }

  deinit { remove() }

  package func remove() { if let path, writer == getpid() { unsafe unlink(path) } }

  /// The process that wrote the file, if it belongs to the program and has not ended.
  private var writer: pid_t? {
    // A file that cannot be read is replaced.
    guard let path, let bytes = try? SmallFile(FilePath(path)).read(limit: 256 << 10, followsLinks: false),
      let process = pid_t(OutsideText.shown(bytes.prefix { $0 != 0x0a })),
      // Without this name, the process has ended.
      let name = try? SmallFile(FilePath("/proc/\(process)/comm")).read(limit: 64)
    else { return nil }
    return name == Array("\(program.rawValue)\n".utf8) ? process : nil
  }

  /// Writes a new status at once, and new metrics once in ten seconds. Returns when to call this method again for the metrics; nil: when
  /// something happens.
  package func update(
    _ status: String, at now: Instant, _ present: () -> [ManagerInterface.Metric]
  ) -> Instant? {
    guard path != nil else { return nil }
    guard status != self.status && !isAnothers || due <= now else { return due }
    due = now + interval
    let metrics = present()
    guard status != self.status || metrics != self.metrics else { return nil }
    isAnothers = writer.map { $0 != getpid() } ?? false
    if isAnothers { return due }
    (self.status, self.metrics) = (status, metrics)
    write(metrics)
    return nil
  }

  /// Replaces the file. If that fails, nothing is shown.
  private func write(_ metrics: [ManagerInterface.Metric]) {
    guard let path else { return }
    var text = Array("\(getpid())\n\(status.onOneLine())\n".utf8)
    for metric in metrics {
      // Omits a number that JSON cannot represent.
      guard let line = try? VarlinkParameters(encoding: metric).json else { continue }
      text += line + [UInt8(ascii: "\n")]
    }
    let new = "\(path).new"
    let file = unsafe open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard file >= 0 else { return }
    let count = unsafe Glibc.write(file, text, text.count)
    // Every user may read the file, whatever the umask of the service is.
    _ = fchmod(file, 0o644)
    close(file)
    if count == text.count { unsafe rename(new, path) }
  }
}
