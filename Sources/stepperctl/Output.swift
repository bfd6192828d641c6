internal import Glibc
internal import StepperClient
internal import StepperCore
import StepperText
internal import Varlink

/// What the program writes. Every line is written at once, so that a reader behind a pipe has it at once.
///
/// Names, titles, problems and values are somebody else's words. Here, on their way out, they become lines in which
/// everything can be seen; JSON keeps them as they are, and writes by their numbers what a terminal would obey.
enum Output {
  /// Whether the standard output takes colour.
  static let hasColour: Bool = unsafe isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil

  /// A line on the standard output, whatever `text` consists of; behind it `note`, emphasised if the output takes colour.
  static func line(_ text: String, highlighting note: String = "") {
    write("\(text.onOneLine())\(note.isEmpty ? "" : highlighted(note.onOneLine()))\n", to: STDOUT_FILENO)
  }

  /// Lines on the standard output.
  static func lines(_ lines: [String]) { for text in lines { line(text) } }

  /// `value` as one line of JSON on the standard output, the members of objects sorted by name.
  static func json(_ value: some Encodable) throws {
    var text: [UInt8] = []
    try JSONText.appendSorted(value, to: &text)
    write("\(JSONForTerminals.escape(String(decoding: text, as: UTF8.self)))\n", to: STDOUT_FILENO)
  }

  /// A message on the standard error, of one line.
  static func error(_ message: String) { error(lines: [message]) }

  /// A message on the standard error, of several lines.
  static func error(lines: [String]) {
    let text = lines.map { $0.onOneLine() }.joined(separator: "\n")
    write("stepperctl: \(text)\n", to: STDERR_FILENO)
  }

  private static func highlighted(_ text: String) -> String {
    hasColour ? "\u{1b}[33m\(text)\u{1b}[0m" : text
  }

  /// Ends the program when the reader of its output goes away, also while there is nothing to write.
  static func endWithReader() {
    // Without the thread it ends with the next line.
    _ = Thread.start {
      var polled = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      while true {
        let count = unsafe poll(&polled, 1, -1)
        if count > 0 { exit(0) }
      }
    }
  }

  /// A reader that went away (`| head`) is no error: the program just ends.
  private static func write(_ text: String, to descriptor: CInt) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        exit(errno == EPIPE ? 0 : 1)
      }
    }
  }
}
