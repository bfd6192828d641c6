internal import Glibc
internal import StepperLinux

/// The terminal of the standard output, as programs use it that draw on the whole of it: keys come one by one and unseen, and
/// what the shell wrote is there again afterwards.
///
/// It has an open file description of its own, whose calls do not block: that of the shell remains unchanged, and the program
/// can be ended while the terminal does not take its output (Ctrl-S).
final class Terminal {
  private let descriptor: OwnedFileDescriptor
  /// The mode in which the terminal was found; nil while it is in that mode.
  private var found: termios?
  /// What the terminal has not taken yet.
  private var pending: ArraySlice<UInt8> = []

  /// The alternate screen, without a cursor, without lines that wrap.
  private static let beginning = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l"
  /// Cancels a sequence that was cut off before.
  private static let ending = "\u{18}\u{1b}[0m\u{1b}[H\u{1b}[2J\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

  /// nil if the standard output is not a terminal, or cannot be opened.
  init?() {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    // The terminal of another user, as after su, opens by its other name only.
    let flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
    var opened = unsafe open("/proc/self/fd/\(STDOUT_FILENO)", flags)
    if opened < 0 { opened = unsafe open("/dev/tty", flags) }
    guard opened >= 0 else { return nil }
    descriptor = OwnedFileDescriptor(owning: opened)
  }

  var rawDescriptor: CInt { descriptor.rawValue }

  /// Whether it has not taken yet what was written.
  var isBusy: Bool { !pending.isEmpty }

  var size: TerminalSize {
    TerminalSize(of: rawDescriptor) ?? TerminalSize(reportedColumns: 0, reportedRows: 0)
  }

  /// Switches to the mode and the screen of this program. Keys still send signals (Ctrl-C, Ctrl-Z).
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

  /// Restores the mode and the screen in which it was found.
  func leave() {
    guard var mode = found else { return }
    found = nil
    pending = []
    write(Self.ending)
    // A terminal that takes no output is not waited for any longer.
    for _ in 0..<10 where isBusy {
      var polled = pollfd(fd: rawDescriptor, events: Int16(POLLOUT), revents: 0)
      _ = unsafe poll(&polled, 1, 50)
      flush()
    }
    _ = unsafe tcsetattr(rawDescriptor, TCSANOW, &mode)
  }

  deinit { leave() }

  /// Writes as much as it takes now; `flush` writes the rest.
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
