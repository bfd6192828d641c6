/// Texts in quotes.
extension TOMLParser {
  /// A text in any of the four kinds of quotes.
  mutating func parseText() throws(SyntaxError) -> String {
    cursor.quotes >= 3 ? try parseMultilineString() : try parseString()
  }

  /// A text in one quote on each side, which ends on its line.
  mutating func parseString() throws(SyntaxError) -> String {
    let start = cursor.offset
    guard let quote = cursor.peek else { return "" }
    let isBasic = quote == UInt8(ascii: "\"")
    cursor.advance()
    var content: [UInt8] = []
    while let byte = cursor.peek, !cursor.isAtEndOfLine {
      if byte == quote {
        cursor.advance()
        return try text(content, at: start)
      }
      if byte == UInt8(ascii: "\\"), isBasic {
        try parseEscape(into: &content, ofTextAt: start)
      } else {
        content.append(byte)
        cursor.advance()
      }
    }
    throw SyntaxError(
      "the text that begins here has no closing \(isBasic ? "\"" : "'") in its line", at: start)
  }

  private mutating func parseMultilineString() throws(SyntaxError) -> String {
    let start = cursor.offset
    guard let quote = cursor.peek else { return "" }
    let isBasic = quote == UInt8(ascii: "\"")
    cursor.advance(by: 3)
    _ = cursor.takeEndOfLine()
    var content: [UInt8] = []
    while let byte = cursor.peek {
      if byte == quote {
        let run = cursor.quotes
        cursor.advance(by: run)
        // Up to two quotes may precede the three that end it.
        content += [UInt8](repeating: quote, count: run < 3 ? run : run - 3)
        if run >= 3 { return try text(content, at: start) }
      } else if byte == UInt8(ascii: "\\"), isBasic {
        if !takeLineEnding() { try parseEscape(into: &content, ofTextAt: start) }
      } else {
        content.append(byte)
        cursor.advance()
      }
    }
    throw SyntaxError("the text that begins here has no closing \(isBasic ? "\"\"\"" : "'''")", at: start)
  }

  /// Texts are compared by canonical equivalence later on, which takes time in the square of the longest run of
  /// combining characters. Unicode's stream-safe text format (UAX #15) has at most thirty in a row, and so have all
  /// languages.
  private func text(_ content: [UInt8], at start: Int) throws(SyntaxError) -> String {
    let text = String(decoding: content, as: UTF8.self)
    guard content.contains(where: { $0 >= 0x80 }) else { return text }
    var run = 0
    for scalar in text.unicodeScalars {
      run = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : run + 1
      guard run <= ConfigurationLimit.combiningCharacters else {
        throw SyntaxError(
          "has more than \(ConfigurationLimit.combiningCharacters) combining characters in a row", at: start)
      }
    }
    return text
  }

  /// Reads a backslash at the end of a line, and all white space after it; false if there is another
  /// character.
  private mutating func takeLineEnding() -> Bool {
    let start = cursor.offset
    cursor.advance()
    cursor.skipBlanks()
    guard cursor.takeEndOfLine() else {
      cursor.move(to: start)
      return false
    }
    while let byte = cursor.peek, isBlank(byte) || cursor.isAtEndOfLine { cursor.advance() }
    return true
  }

  /// Reads an escape sequence.
  private mutating func parseEscape(into content: inout [UInt8], ofTextAt start: Int) throws(SyntaxError) {
    let place = cursor.offset
    cursor.advance()
    let letter = cursor.peek
    switch letter {
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "n"): content.append(0x0a)
    case UInt8(ascii: "f"): content.append(0x0c)
    case UInt8(ascii: "r"): content.append(0x0d)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): content.append(letter ?? 0)
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      let scalar = try parseCodePoint(letter == UInt8(ascii: "u") ? 4 : 8, at: place)
      guard scalar != "\0" else { throw SyntaxError("must not contain a NUL character", at: start) }
      content += Array(String(scalar).utf8)
      return
    default:
      throw SyntaxError(
        "a backslash in double quotes is written \\\\, or the text stands in single quotes; found \(foundEscape)",
        at: place)
    }
    cursor.advance()
  }

  private var foundEscape: String {
    guard !cursor.isAtEndOfLine else { return "\\" }
    // Reads one literal character.
    let bytes = cursor.bytes[cursor.offset...].prefix(4)
    return "\\"
      + excerpt(String(decoding: bytes, as: UTF8.self).unicodeScalars.prefix(1).map(String.init).joined())
  }

  /// Reads the digits after `\u` or `\U`.
  private mutating func parseCodePoint(_ length: Int, at place: Int) throws(SyntaxError) -> Unicode.Scalar {
    cursor.advance()
    let digits = cursor.bytes[cursor.offset...].prefix(length)
    let text = String(decoding: digits.prefix { isHexadecimalDigit($0) }, as: UTF8.self)
    let letter = length == 4 ? "u" : "U"
    guard text.utf8.count == length, let number = UInt32(text, radix: 16) else {
      throw SyntaxError(
        "\\\(letter) needs \(length == 4 ? "four" : "eight") hexadecimal digits, found \(text.isEmpty ? "none" : text)",
        at: place)
    }
    guard let scalar = Unicode.Scalar(number) else {
      throw SyntaxError("\\\(letter)\(text) stands for no character", at: place)
    }
    cursor.advance(by: length)
    return scalar
  }
}

func isHexadecimalDigit(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
    UInt8(ascii: "A")...UInt8(ascii: "F"):
    true
  default: false
  }
}
