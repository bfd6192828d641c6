internal import Glibc
internal import Varlink

/// Reads lines from the standard input without waiting for them.
struct LineInput {
  enum Line: Hashable {
    case text(String)
    case end
  }

  private var pending: [UInt8] = []
  private var isAtEnd = false
  /// The maximum length of a line; longer lines are cut.
  private static let longestLine = 1_024

  /// The next line without its line end; nil if no line is complete yet.
  mutating func next() -> Line? {
    if let line = takeLine() { return .text(line) }
    guard !isAtEnd else { return .end }
    fill()
    if let line = takeLine() { return .text(line) }
    guard isAtEnd else { return nil }
    defer { pending = [] }
    return pending.isEmpty ? .end : .text(OutsideText.shown(pending))
  }

  /// Discards lines that were typed before a question.
  mutating func discard() {
    guard isatty(STDIN_FILENO) == 1 else { return }
    tcflush(STDIN_FILENO, TCIFLUSH)
    pending = []
  }

  private mutating func takeLine() -> String? {
    guard let end = pending.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { pending.removeFirst(end + 1) }
    return OutsideText.shown(pending[..<end].prefix(Self.longestLine))
  }

  private mutating func fill() {
    var polled = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&polled, 1, 0) > 0 else { return }
    var chunk = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe read(STDIN_FILENO, &chunk, chunk.count)
    guard count > 0 else {
      isAtEnd = count == 0 || errno != EINTR && errno != EAGAIN
      return
    }
    pending += chunk[..<count]
    if pending.count > 4 * Self.longestLine, !pending.contains(UInt8(ascii: "\n")) {
      pending.removeLast(pending.count - Self.longestLine)
    }
  }
}

/// An answer of the user: a word, or its first letter.
enum TypedAnswer: Hashable {
  case enter
  case skip
  case back
  case quit
  case text(String)

  init(_ line: String) {
    let word = (line.last == "\r" ? String(line.dropLast()) : line).trimmed
    switch word.lowercased() {
    case "": self = .enter
    case "s", "skip": self = .skip
    case "b", "back": self = .back
    case "q", "quit": self = .quit
    default: self = .text(word)
    }
  }
}

/// The user ended the dialogue.
struct LearningEnded: Error {}

/// The user went back to the previous question.
struct WentBack: Error {}
