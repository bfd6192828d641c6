internal import Glibc
internal import StepperConfiguration
internal import StepperLinux

/// What `stepperctl status` reads: the state of the bridge as one line, in its folder for files of run time. The daemon
/// has no part in it.
final class StatusFile {
  private let path: String?

  init() {
    if let given = environmentVariable("RUNTIME_DIRECTORY")?.split(separator: ":").first.map(String.init) {
      path = "\(given)/\(BridgeStatusFile.name)"
    } else if let runtime = environmentVariable("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") {
      let folder = "\(runtime)/\(BridgeStatusFile.folder)"
      unsafe mkdir(folder, 0o700)
      path = "\(folder)/\(BridgeStatusFile.name)"
    } else {
      path = nil
    }
  }

  deinit { if let path { unsafe unlink(path) } }

  /// Replaces it; what cannot be written is not shown.
  func write(_ status: String) {
    guard let path else { return }
    let text = Array("\(getpid())\n\(status)\n".utf8)
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
