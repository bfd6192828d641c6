internal import Glibc
internal import StepperCore
internal import StepperLinux
internal import Varlink

/// Runs programs whose output is a fact.
enum ProgramOutput {
  /// The standard output of a program that ends within `limit`; nil if it does not, or cannot be started.
  static func of(_ command: [String], within limit: Duration = .seconds(3)) -> String? {
    let environment = ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C", "SYSTEMD_PAGER": ""]
    // Without the program its check does without the fact.
    guard var running = try? RunningCommand.start(command, environment: environment) else { return nil }
    let deadline = Instant.now + limit
    var bytes: [UInt8] = []
    while bytes.count < mostBytes {
      switch running.readOutput(limit: 65_536) {
      case .bytes(let piece): bytes += piece
      case .end:
        running.waitForEnd(until: deadline)
        guard running.finish() != nil else {
          end(&running)
          return nil
        }
        return OutsideText.shown(bytes)
      case .nothingYet:
        guard Instant.now < deadline else {
          end(&running)
          return nil
        }
        waitForInput(on: running.outputDescriptor, until: deadline)
      }
    }
    end(&running)
    return nil
  }

  private static func waitForInput(on descriptor: CInt, until deadline: Instant) {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    unsafe poll(&wanted, 1, CInt(clamping: max((deadline - .now).nanoseconds / 1_000_000, 1)))
  }

  private static func end(_ running: inout RunningCommand) {
    running.kill()
    running.waitForEnd(until: .now + .seconds(1))
    _ = running.finish()
  }

  private static let mostBytes = 1 << 20
}
