internal import ArgumentParser
internal import Glibc
internal import StepperClient
internal import StepperLinux
import StepperText
internal import SystemPackage
internal import Varlink

/// The output of the program. Each line is written immediately, so that the reader of a pipe receives it without delay.
///
/// Names, titles, problems and values come from outside. Each is written as one line without invisible or control
/// characters; JSON keeps the texts and escapes these characters.
enum Output {
  /// Whether the standard output is a terminal that supports colours, and the user wants them.
  static let hasColour = isatty(STDOUT_FILENO) == 1 && TerminalStyle().hasColour

  /// Writes `text` and `note` as one line to the standard output. The note is emphasised if the output has colour.
  static func line(_ text: String, highlighting note: String = "") {
    write("\(text.onOneLine())\(note.isEmpty ? "" : highlighted(note.onOneLine()))\n", to: .output)
  }

  /// The width of the standard output's terminal in columns; nil if the standard output is not a terminal.
  static var columns: Int? { TerminalSize(of: STDOUT_FILENO)?.columns }

  /// Writes lines to the standard output.
  static func lines(_ lines: [String]) { for text in lines { line(text) } }

  /// Writes `value` as one line of JSON.
  static func json(_ value: some JSONWritable, to stream: StandardStream = .output) throws {
    var text: [UInt8] = []
    try value.appendJSON(to: &text)
    write("\(JSONForTerminals.escape(OutsideText.shown(text)))\n", to: stream)
  }

  /// Writes a message of one line to the standard error.
  static func error(_ message: String) { error(lines: [message]) }

  /// Writes an error to the standard error. With `--json` it is an object, which has the name of the daemon's error if
  /// it comes from the daemon.
  static func error(_ failure: CommandFailure) { error(lines: failure.lines, of: failure) }

  /// Writes a message of several lines to the standard error: with `--json` as an object.
  static func error(lines: [String], of failure: CommandFailure? = nil) {
    guard writesJSON else {
      let text = lines.map { $0.onOneLine() }.joined(separator: "\n")
      return write("stepperctl: \(text)\n", to: .error)
    }
    let object: JSONObject = [
      "error": failure?.error, "exitStatus": failure.map { Int($0.code.rawValue) },
      "message": lines.joined(separator: "\n"),
    ]
    // Texts and whole numbers can always be encoded.
    try? json(object, to: .error)
  }

  /// Whether the command line, valid or not, has `--json`.
  static let writesJSON =
    OutsideText.arguments?.prefix { $0 != "--" }.contains("--json") ?? false

  private static func highlighted(_ text: String) -> String {
    hasColour ? "\u{1b}[33m\(text)\u{1b}[0m" : text
  }

  /// Ends the program when the reader of its output closes the pipe, even while there is nothing to write.
  static func endWithReader() {
    // The descriptor is duplicated, because the standard output may be another file after a write.
    let output = dup(STDOUT_FILENO)
    let isWatched = Thread.start {
      var polled = pollfd(fd: output, events: 0, revents: 0)
      while true {
        let count = unsafe poll(&polled, 1, -1)
        if count > 0 { exit(0) }
      }
    }
    guard output < 0 || !isWatched else { return }
    error(CommandFailure("cannot watch the standard output: \(Errno.current)"))
    exit(1)
  }

  /// Writes to the standard output or the standard error. If the reader has closed the standard output (`| head`), the
  /// rest is discarded and the program continues. If the standard output cannot be written for another reason, the
  /// program reports it and exits with 1. Failed writes to the standard error are ignored, because the exit status
  /// reports the result.
  static func write(_ text: [UInt8], to stream: StandardStream) {
    guard stream == .output else {
      try? stream.write(text)  // As documented.
      return
    }
    do throws(Errno) {
      try StandardStream.answer(text)
    } catch {
      self.error(CommandFailure(StandardStream.lost(error)))
      exit(1)
    }
  }

  /// The same with text.
  static func write(_ text: String, to stream: StandardStream) { write(Array(text.utf8), to: stream) }
}
