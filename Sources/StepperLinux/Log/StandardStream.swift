internal import Glibc
internal import StepperCore
import StepperText
package import SystemPackage

/// Standard output and standard error, unbuffered.
package enum StandardStream: CInt {
  case output = 1
  case error = 2

  /// Prepares the standard streams; call it first in a program.
  ///
  /// A closed stream is opened on `/dev/null`; otherwise the next file, socket or device would get its number and
  /// receive the output. Writes to a closed output still fail. Neither a closed reader nor a terminal that stops
  /// background output (`stty tostop`) ends or stops the program.
  package static func prepare() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is that of the stream. Without /dev/null the stream stays closed.
      _ = unsafe open("/dev/null", O_RDONLY)
    }
    signal(SIGPIPE, SIG_IGN)
    signal(SIGTTOU, SIG_IGN)
  }

  /// Everything up to the end of the standard input. Throws `EFBIG` for more than `limit` bytes.
  package static func input(limit: Int) throws(Errno) -> [UInt8] {
    let (content, end) = readAll(STDIN_FILENO, limit: limit)
    switch end {
    case .complete: return content
    case .tooLong: throw .fileTooLarge
    case .failed(let error): throw error
    }
  }

  /// Writes `lines`, each as one line with any content.
  ///
  /// Waits at most `timeout` for each piece that the reader accepts; nil: without a limit. The rest is then lost and
  /// cannot be reported.
  package func write(lines: [String], timeout: Duration? = nil) {
    // As documented.
    try? write(Array(lines.map { $0.onOneLine() + "\n" }.joined().utf8), timeout: timeout)
  }

  /// Writes `bytes`; see ``write(lines:timeout:)``. Throws why not all were accepted; `ETIMEDOUT` after `timeout`.
  package func write(_ bytes: [UInt8], timeout: Duration? = nil) throws(Errno) {
    let output = SharedOutput(rawValue)
    var rest = bytes[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(try output.write(rest))
      guard rest.isEmpty || output.isWritable(until: timeout.map { .now + $0 }) else { throw .timedOut }
    }
  }

  /// What is written from now on is discarded, because nobody reads it.
  package func discard() {
    let null = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
    if null >= 0 {
      _ = dup2(null, rawValue)
      close(null)
    }
  }

  /// Writes one line; see ``write(lines:timeout:)``.
  package func write(line: String, timeout: Duration? = nil) { write(lines: [line], timeout: timeout) }
}
