internal import Glibc
internal import StepperLinux
internal import StepperText
internal import Varlink

/// The output of the dialogue: text for the user, or objects for another program.
struct Conversation {
  let isJSON: Bool
  /// The stream of text: the standard error if the configuration is printed on the standard output.
  private let stream: StandardStream
  private let isTerminal: Bool
  /// The live line, which is replaced in place; empty if there is none.
  private var live = ""
  private var hasResult = false
  /// The most columns of the live line.
  private static let width = 76
  private let style = TerminalStyle()

  init(isJSON: Bool, toStandardError: Bool) {
    self.isJSON = isJSON
    stream = toStandardError ? .error : .output
    isTerminal = !isJSON && isatty(stream.rawValue) == 1
  }

  /// Writes a line of text, or an object for a program.
  mutating func note(_ text: String) {
    guard !isJSON else { return send(["text": text, "type": "note"]) }
    line(text)
  }

  mutating func prompt(_ id: String, _ text: String, answers: [String]) {
    guard !isJSON else { return send(["answers": answers, "id": id, "text": text, "type": "prompt"]) }
    line("")
    line(text)
    if !answers.isEmpty { line("  (\(answers.joined(separator: ", ")))") }
  }

  /// An object for a program; its members are in learn.md.
  func send(_ message: JSONObject) {
    guard isJSON else { return }
    // Texts, finite numbers and arrays of them can always be encoded.
    try? Output.json(message)
  }

  /// Sends the result. Only the first result is sent.
  mutating func end(_ result: JSONObject) {
    guard !hasResult else { return }
    hasResult = true
    send(result)
  }

  /// Replaces the live line. Only a terminal shows it.
  mutating func show(_ text: String) {
    guard isTerminal, text != live else { return }
    live = text
    // The window may have another size each time.
    let columns = TerminalSize(of: stream.rawValue)?.columns
    write("\r\u{1b}[K\(Self.fitting(text.onOneLine(), columns, style))")
  }

  /// The beginning of a line that fits into one row of a terminal with `columns`. A continuation in the next row would
  /// not be replaced.
  static func fitting(_ line: String, _ columns: Int?, _ style: TerminalStyle) -> String {
    style.clipped(line, to: min(width, (columns ?? width + 1) - 1))
  }

  mutating func line(_ text: String) {
    guard !isJSON else { return }
    clear()
    write("\(text.onOneLine())\n")
  }

  private mutating func clear() {
    guard !live.isEmpty else { return }
    live = ""
    write("\r\u{1b}[K")
  }

  private func write(_ text: String) { Output.write(text, to: stream) }

  /// `[##########          ] 50`.
  static func bar(_ position: Double?, _ text: String) -> String {
    guard let position else { return text }
    let width = 40
    let filled = Int((min(max(position, 0), 1) * Double(width)).rounded())
    return
      "[\(String(repeating: "#", count: filled))\(String(repeating: " ", count: width - filled))] \(text)"
  }
}
