internal import Glibc
internal import StepperCore
import StepperText
internal import Synchronization
package import SystemPackage

/// Standard output and standard error, unbuffered.
package enum StandardStream: CInt {
  case output = 1
  case error = 2

  /// Prepares the standard streams; call it first in a program.
  ///
  /// A closed stream is opened on `/dev/null`; otherwise the next file, socket or device would get its number and
  /// receive the output. Reading a closed input and writing to a closed output still fail. After this, neither a closed
  /// reader, nor a limit on the size of files, nor a terminal that stops background output (`stty tostop`) ends or
  /// stops the program.
  package static func prepare() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is that of the closed stream. Without /dev/null the stream stays closed.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
    for number in [SIGPIPE, SIGXFSZ, SIGTTOU] { signal(number, SIG_IGN) }
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

  /// Writes `lines`, each as one line whatever it contains.
  ///
  /// Waits at most `timeout` for the reader to accept each piece; nil: without a limit. After a timeout, the rest is
  /// lost and not reported.
  package func write(lines: [String], timeout: Duration? = nil) {
    // As documented, errors are not reported.
    try? write(Self.bytes(lines), timeout: timeout)
  }

  /// Writes `bytes`; see ``write(lines:timeout:)``. Throws the reason if not all were accepted; `ETIMEDOUT` after
  /// `timeout`.
  package func write(_ bytes: [UInt8], timeout: Duration? = nil) throws(Errno) {
    switch self {
    case .output:
      guard !Self.isDiscarded.load(ordering: .relaxed) else { return }
      try Self.write(bytes, to: Self.standardOutput, timeout)
    case .error: try Self.write(bytes, to: Self.standardError, timeout)
    }
  }

  /// Writes requested output, such as the version, to standard output. Throws the reason if that fails: then the
  /// program has not done its task. Output whose reader has closed the pipe is discarded without an error.
  package static func answer(_ bytes: [UInt8]) throws(Errno) {
    do throws(Errno) {
      try output.write(bytes)
    } catch .brokenPipe {
      discardOutput()
    } catch {
      throw error
    }
  }

  /// Writes `lines`, each as one line whatever it contains; see ``answer(_:)``.
  package static func answer(lines: [String]) throws(Errno) { try answer(bytes(lines)) }

  private static func bytes(_ lines: [String]) -> [UInt8] {
    Array(lines.map { $0.onOneLine() + "\n" }.joined().utf8)
  }

  /// The message for an `error` of ``answer(_:)``.
  package static func lost(_ error: Errno) -> String { "cannot write the standard output: \(error)" }

  private static func write(
    _ bytes: [UInt8], to output: borrowing SharedOutput, _ timeout: Duration?
  ) throws(Errno) {
    var rest = bytes[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(try output.write(rest))
      guard rest.isEmpty || output.isWritable(until: timeout.map { .now + $0 }) else { throw .timedOut }
    }
  }

  // Created when the first line is written.
  private static let standardOutput = SharedOutput(STDOUT_FILENO)
  private static let standardError = SharedOutput(STDERR_FILENO)
  private static let isDiscarded = Atomic(false)

  /// Discards everything that is written to standard output from now on, because its reader has closed it.
  package static func discardOutput() {
    isDiscarded.store(true, ordering: .relaxed)
    let null = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
    if null >= 0 {
      _ = dup2(null, STDOUT_FILENO)
      close(null)
    }
  }

  /// Writes one line; see ``write(lines:timeout:)``.
  package func write(line: String, timeout: Duration? = nil) { write(lines: [line], timeout: timeout) }
}
