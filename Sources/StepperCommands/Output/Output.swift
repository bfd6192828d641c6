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
  /// Whether the standard output is a terminal with colours that are wanted.
  static let hasColour = isatty(STDOUT_FILENO) == 1 && TerminalStyle().hasColour

  /// Writes `text` as one line to the standard output, followed by `note`, emphasised if the output takes colour.
  static func line(_ text: String, highlighting note: String = "") {
    write("\(text.onOneLine())\(note.isEmpty ? "" : highlighted(note.onOneLine()))\n", to: .output)
  }

  /// The number of columns of the terminal of the standard output; nil if that is not a terminal.
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

  /// Writes an error to the standard error: with `--json` as an object with the name of the daemon's error, if it is one.
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
  private static let writesJSON =
    OutsideText.arguments?.prefix { $0 != "--" }.contains("--json") ?? false

  private static func highlighted(_ text: String) -> String {
    hasColour ? "\u{1b}[33m\(text)\u{1b}[0m" : text
  }

  /// Ends the program when the reader of its output closes it, even while there is nothing to write.
  static func endWithReader() {
    // The standard output may be another file after a write.
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

  /// Writes to the standard output, or to the standard error. Where the reader has closed the standard output (`| head`), the rest
  /// is not for anybody and the program goes on; if it cannot be written, the program says why and ends with 1. A standard error
  /// that cannot be written changes nothing: the exit status says the rest.
  static func write(_ text: [UInt8], to stream: StandardStream) {
    do throws(Errno) {
      try stream.write(text)
    } catch .brokenPipe where stream == .output {
      StandardStream.discardOutput()
    } catch {
      guard stream == .output else { return }
      self.error(CommandFailure("cannot write the standard output: \(error)"))
      exit(1)
    }
  }

  /// The same with text.
  static func write(_ text: String, to stream: StandardStream) { write(Array(text.utf8), to: stream) }
}
