internal import Glibc
internal import StepperCore
import StepperText
internal import SystemPackage

/// Standard output and standard error, without a buffer that somebody would have to flush.
package enum StandardStream: CInt {
  case output = 1
  case error = 2

  /// Makes the standard streams harmless; call it first in a program.
  ///
  /// One that is closed is opened on `/dev/null`, or else the next file, socket or device would get its number and be
  /// written to. What is written to a closed output fails, as it did. Neither a reader that goes away nor a terminal
  /// that keeps background jobs quiet (`stty tostop`) ends or stops the program.
  package static func prepare() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is this one. Without /dev/null there is nothing that could be done instead.
      _ = unsafe open("/dev/null", O_RDONLY)
    }
    signal(SIGPIPE, SIG_IGN)
    signal(SIGTTOU, SIG_IGN)
  }

  /// Writes `lines`, each as one line whatever it consists of.
  ///
  /// Waits for a reader as long as it reads something now and then: at most `patience` at a time; nil: for ever. What it
  /// does not take then is lost; there is nowhere left to say so.
  package func write(lines: [String], patience: Duration? = nil) {
    let output = SharedOutput(rawValue)
    var rest = Array(lines.map { $0.onOneLine() + "\n" }.joined().utf8)[...]
    while !rest.isEmpty {
      do throws(Errno) {
        rest = rest.dropFirst(try output.write(rest))
      } catch {
        return
      }
      guard rest.isEmpty || output.isWritable(until: patience.map { .now + $0 }) else { return }
    }
  }

  /// Writes one line; see ``write(lines:patience:)``.
  package func write(line: String, patience: Duration? = nil) { write(lines: [line], patience: patience) }
}
