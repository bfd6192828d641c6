/// A place in the text of a TOML document, and the steps of its grammar that need no knowledge of values.
///
/// The text is UTF-8 and has no control characters but tabs, line feeds and carriage returns before these.
struct ByteCursor {
  let bytes: [UInt8]
  private(set) var offset: Int

  init(_ text: SourceText) {
    bytes = text.bytes
    offset = text.start
  }

  /// nil at the end.
  var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  func peek(_ distance: Int) -> UInt8? {
    offset + distance < bytes.count ? bytes[offset + distance] : nil
  }

  mutating func advance(by count: Int = 1) { offset = min(offset + count, bytes.count) }

  mutating func move(to offset: Int) { self.offset = min(offset, bytes.count) }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: scalar) else { return false }
    offset += 1
    return true
  }

  func starts(with text: StaticString) -> Bool {
    bytes[offset...].starts(with: text.description.utf8)
  }

  /// How many quotes of one kind come, up to five.
  var quotes: Int {
    guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return 0 }
    var count = 1
    while count < 5, peek(count) == quote { count += 1 }
    return count
  }

  // MARK: Lines

  var isAtEndOfLine: Bool {
    switch peek {
    case nil, UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
    default: false
    }
  }

  /// Spaces and tabs.
  mutating func skipBlanks() {
    while let byte = peek, isBlank(byte) { offset += 1 }
  }

  /// To the end of the line, not beyond.
  mutating func skipLine() {
    while let byte = peek, byte != UInt8(ascii: "\n") { offset += 1 }
  }

  mutating func skipToNextLine() {
    skipLine()
    advance()
  }

  mutating func moveToBeginningOfLine() {
    while offset > 0, bytes[offset - 1] != UInt8(ascii: "\n") { offset -= 1 }
  }

  /// The end of a line; false if it is not here.
  mutating func takeEndOfLine() -> Bool {
    if peek == UInt8(ascii: "\r") { advance() }
    return take("\n")
  }

  /// Blanks, ends of lines and comments.
  mutating func skipTrivia() {
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: " "), UInt8(ascii: "\t"): offset += 1
      case UInt8(ascii: "#"): skipLine()
      default: return
      }
    }
  }

  /// Whether this is the beginning of a line with the header of a table or a key and its value, as far as one
  /// can see.
  func looksLikeStatement() -> Bool {
    var cursor = self
    cursor.skipBlanks()
    let isHeader = cursor.take("[")
    if isHeader { _ = cursor.take("[") }
    var hasKey = false
    while let byte = cursor.peek {
      switch byte {
      case UInt8(ascii: "="): return hasKey && !isHeader
      case UInt8(ascii: "]"): return hasKey && isHeader
      case UInt8(ascii: "."), UInt8(ascii: " "), UInt8(ascii: "\t"): break
      case UInt8(ascii: "\""), UInt8(ascii: "'"): break
      default:
        guard isBareKeyByte(byte) else { return false }
        hasKey = true
      }
      cursor.advance()
    }
    return false
  }

  // MARK: Words

  mutating func takeBareKey() -> String? {
    let start = offset
    while let byte = peek, isBareKeyByte(byte) { offset += 1 }
    return offset > start ? String(decoding: bytes[start..<offset], as: UTF8.self) : nil
  }

  /// A number, date or word: to the next blank, `,`, `[`, `]`, `{`, `}`, `#` or end of line.
  mutating func takeWord() -> ArraySlice<UInt8> {
    let start = offset
    word: while let byte = peek {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: ","),
        UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "#"):
        break word
      default: offset += 1
      }
    }
    return bytes[start..<offset]
  }

  /// The text at the cursor for messages: up to the next space, or one character that is not part of a word.
  var found: String {
    guard let byte = peek else { return "the end of the file" }
    if isAtEndOfLine { return "the end of the line" }
    if byte == UInt8(ascii: "#") { return "a comment" }
    var cursor = self
    var word = cursor.takeWord()
    if word.isEmpty { word = bytes[offset...offset] }
    return excerpt(String(decoding: word.prefix(4 * longestExcerpt), as: UTF8.self))
  }
}

func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
