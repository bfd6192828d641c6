internal import Glibc
internal import StepperCore
internal import StepperLinux
internal import Varlink

/// Runs programs and reads their output.
enum ProgramOutput {
  /// The standard output of a program that ends within `limit`; nil if it does not, or cannot be started.
  static func of(_ command: [String], within limit: Duration = .seconds(10)) -> String? {
    let environment = ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C", "SYSTEMD_PAGER": ""]
    // If the program is missing, the fact is unknown.
    guard var running = try? RunningCommand.start(command, environment: environment) else { return nil }
    let deadline = Instant.now + limit
    let output = output(of: &running, until: deadline)
    running.kill()
    running.waitForEnd(until: .now + .seconds(1))
    _ = running.finish()
    return output.map { OutsideText.shown($0) }
  }

  /// The output of a program after it has ended.
  private static func output(of running: inout RunningCommand, until deadline: Instant) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < mostBytes {
      switch running.readOutput(limit: 65_536) {
      case .bytes(let piece): bytes += piece
      case .end:
        running.waitForEnd(until: deadline)
        return running.finish().map { _ in bytes }
      case .nothingYet:
        guard Instant.now < deadline else { return nil }
        var wanted = pollfd(fd: running.outputDescriptor, events: Int16(POLLIN), revents: 0)
        unsafe poll(&wanted, 1, CInt(clamping: max((deadline - .now).milliseconds, 1)))
      }
    }
    return nil
  }

  private static let mostBytes = 1 << 20
}
