internal import Glibc
internal import StepperLinux

/// The terminal of the standard output in the mode of full-screen programs: keys are delivered one by one without echo, and
/// the former contents are restored at the end.
///
/// Uses a separate, non-blocking open file description. That of the shell remains unchanged, and the program can be
/// ended even while the terminal accepts no output (Ctrl-S).
final class Terminal {
  private let descriptor: OwnedFileDescriptor
  /// The former mode of the terminal; nil while the terminal is in its former mode.
  private var found: termios?
  /// Output that the terminal has not accepted yet.
  private var pending: ArraySlice<UInt8> = []

  /// Selects the alternate screen, hides the cursor, and turns off the wrapping of lines.
  private static let beginning = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l"
  /// Undoes `beginning`; the first byte cancels an incomplete sequence.
  private static let ending = "\u{18}\u{1b}[0m\u{1b}[H\u{1b}[2J\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

  /// nil if the standard output is not a terminal, or cannot be opened.
  init?() {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    // The terminal of another user, as after su, can only be opened as /dev/tty.
    let flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
    var opened = unsafe open("/proc/self/fd/\(STDOUT_FILENO)", flags)
    if opened < 0 { opened = unsafe open("/dev/tty", flags) }
    guard opened >= 0 else { return nil }
    descriptor = OwnedFileDescriptor(owning: opened)
  }

  var rawDescriptor: CInt { descriptor.rawValue }

  var isBusy: Bool { !pending.isEmpty }

  var size: TerminalSize {
    TerminalSize(of: rawDescriptor) ?? TerminalSize(reportedColumns: 0, reportedRows: 0)
  }

  /// Enters the mode and the alternate screen. Keys still send signals (Ctrl-C, Ctrl-Z).
  func enter() {
    var mode = termios()
    guard unsafe tcgetattr(rawDescriptor, &mode) == 0 else { return }
    if found == nil { found = mode }
    let output = mode.c_oflag
    unsafe cfmakeraw(&mode)
    mode.c_lflag |= tcflag_t(ISIG)
    mode.c_oflag = output
    _ = unsafe tcsetattr(rawDescriptor, TCSANOW, &mode)
    write(Self.beginning)
  }

  /// Restores the former mode and screen.
  func leave() {
    guard var mode = found else { return }
    found = nil
    pending = []
    write(Self.ending)
    // At most 500 ms for a terminal that accepts no output.
    for _ in 0..<10 where isBusy {
      var polled = pollfd(fd: rawDescriptor, events: Int16(POLLOUT), revents: 0)
      _ = unsafe poll(&polled, 1, 50)
      flush()
    }
    _ = unsafe tcsetattr(rawDescriptor, TCSANOW, &mode)
  }

  deinit { leave() }

  /// Writes as much as the terminal accepts now; `flush` writes the rest.
  func write(_ text: String) {
    pending += text.utf8
    flush()
  }

  func flush() {
    while !pending.isEmpty {
      let count = unsafe pending.withUnsafeBytes { bytes in
        unsafe Glibc.write(rawDescriptor, bytes.baseAddress, bytes.count)
      }
      guard count > 0 else { return }
      pending = pending.dropFirst(count)
    }
    pending = []
  }

  /// The bytes of the keys that were pressed, at most 1024; nil if the terminal was closed.
  func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = unsafe Glibc.read(rawDescriptor, &buffer, buffer.count)
    guard count < 0 else { return count == 0 ? nil : Array(buffer[..<count]) }
    return errno == EAGAIN || errno == EINTR ? [] : nil
  }
}
