internal import Glibc
package import StepperConfiguration
package import StepperCore
package import StepperInterfaces
internal import StepperLinux
internal import StepperText
internal import SystemPackage
internal import Varlink

/// What a bridge counts and measures.
package protocol BridgeFigures: Equatable {
  var metrics: [ManagerInterface.Metric] { get }
}

/// What `stepperctl` reads of a bridge: see ``BridgeProgram``. Of several processes of one program it is that of the first.
package final class StatusFile<Figures: BridgeFigures> {
  private let program: BridgeProgram
  private let path: String?
  private var status = ""
  private var figures: Figures?
  /// When the figures are looked at again.
  private var due = Instant.distantPast
  /// Whether it is that of another process, which may end.
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

  /// The process that wrote it, if that is one of the program and has not ended.
  private var writer: pid_t? {
    // One that cannot be read is replaced.
    guard let path, let bytes = try? SmallFile(FilePath(path)).read(limit: 256 << 10, followsLinks: false),
      let process = pid_t(OutsideText.shown(bytes.prefix { $0 != 0x0a })),
      // Without one it has ended.
      let name = try? SmallFile(FilePath("/proc/\(process)/comm")).read(limit: 64)
    else { return nil }
    return name == Array("\(program.rawValue)\n".utf8) ? process : nil
  }

  /// Something may have happened. Another status is written at once, other figures once in ten seconds; returns when to call it
  /// again for these, nil: when something else has happened.
  package func update(_ status: String, at now: Instant, _ present: () -> Figures) -> Instant? {
    guard path != nil else { return nil }
    guard status != self.status && !isAnothers || due <= now else { return due }
    due = now + interval
    let figures = present()
    guard status != self.status || figures != self.figures else { return nil }
    isAnothers = writer.map { $0 != getpid() } ?? false
    if isAnothers { return due }
    (self.status, self.figures) = (status, figures)
    write(figures)
    return nil
  }

  /// Replaces it; what cannot be written is not shown.
  private func write(_ figures: Figures) {
    guard let path else { return }
    var text = Array("\(getpid())\n\(status.onOneLine())\n".utf8)
    for metric in figures.metrics {
      // A number that JSON does not have is left out.
      guard let line = try? VarlinkParameters(encoding: metric).json else { continue }
      text += line + [UInt8(ascii: "\n")]
    }
    let new = "\(path).new"
    let file = unsafe open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard file >= 0 else { return }
    let count = unsafe Glibc.write(file, text, text.count)
    // Every user may read it, whatever the mask of the service is.
    _ = fchmod(file, 0o644)
    close(file)
    if count == text.count { unsafe rename(new, path) }
  }
}
