internal import Varlink

/// A position in the text of a TOML document, with the steps of the grammar that do not depend on values.
///
/// The text is UTF-8. Its only control characters are tabs, line feeds, and carriage returns before line feeds.
struct ByteCursor {
  let bytes: [UInt8]
  private(set) var offset: Int

  init(_ text: SourceText) {
    bytes = text.bytes
    offset = text.start
  }

  /// The next byte; nil at the end.
  var peek: UInt8? { peek(0) }

  func peek(_ distance: Int) -> UInt8? {
    offset + distance < bytes.count ? bytes[offset + distance] : nil
  }

  func isAt(_ scalar: Unicode.Scalar) -> Bool { peek == UInt8(ascii: scalar) }

  mutating func advance(by count: Int = 1) { move(to: offset + count) }

  mutating func move(to offset: Int) { self.offset = min(offset, bytes.count) }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard isAt(scalar) else { return false }
    offset += 1
    return true
  }

  @discardableResult
  mutating func take(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = offset
    while let byte = peek, isTaken(byte) { offset += 1 }
    return bytes[start..<offset]
  }

  /// The number of equal quotes that come next, up to five.
  var quotes: Int {
    guard let quote = peek, isQuote(quote) else { return 0 }
    return (1..<5).first { peek($0) != quote } ?? 5
  }

  /// Whether the next characters begin a comment in other languages: `;` or `//`.
  var isAtForeignComment: Bool { isAt(";") || isAt("/") && peek(1) == peek }

  // MARK: Lines

  var isAtEndOfLine: Bool { peek == nil || isAt("\n") || isAt("\r") }

  /// Skips spaces and tabs.
  mutating func skipBlanks() { take(while: isBlank) }

  /// Moves to the end of the line, not beyond.
  mutating func skipLine() { take { $0 != UInt8(ascii: "\n") } }

  mutating func skipToNextLine() {
    skipLine()
    advance()
  }

  mutating func moveToBeginningOfLine() {
    while offset > 0, bytes[offset - 1] != UInt8(ascii: "\n") { offset -= 1 }
  }

  /// Reads the end of a line; false if the cursor is not at one.
  mutating func takeEndOfLine() -> Bool {
    _ = take("\r")
    return take("\n")
  }

  mutating func skipBlankLines() {
    while peek.map(isBlank) == true || peek != nil && isAtEndOfLine { offset += 1 }
  }

  /// Skips blanks, line ends and comments.
  mutating func skipTrivia() {
    skipBlankLines()
    while isAt("#") {
      skipLine()
      skipBlankLines()
    }
  }

  /// Whether the line appears to begin with a table header or with a key and its value.
  func looksLikeStatement() -> Bool {
    var cursor = self
    cursor.skipBlanks()
    let isHeader = cursor.take("[")
    if isHeader { _ = cursor.take("[") }
    var hasKey = false
    while let byte = cursor.peek {
      switch byte {
      case "=": return hasKey && !isHeader
      case "]": return hasKey && isHeader
      case ".", " ", "\t", "\"", "'": break
      default:
        guard isBareKeyByte(byte) else { return false }
        hasKey = true
      }
      cursor.advance()
    }
    return false
  }

  // MARK: Words

  /// Reads a number, date or word: up to the next blank, `,`, `[`, `]`, `{`, `}`, `#` or line end.
  mutating func takeWord() -> ArraySlice<UInt8> {
    take { byte in
      switch byte {
      case " ", "\t", "\r", "\n", ",", "[", "]", "{", "}", "#": false
      default: true
      }
    }
  }

  /// The text at the cursor for messages: up to the next space, or one character that is not part of a word.
  var found: String {
    guard peek != nil else { return "the end of the file" }
    if isAtEndOfLine { return "the end of the line" }
    if isAt("#") { return "a comment" }
    var cursor = self
    var word = cursor.takeWord()
    if word.isEmpty { word = bytes[offset...offset] }
    return excerpt(OutsideText.shown(word.prefix(4 * longestExcerpt)))
  }
}

func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }
