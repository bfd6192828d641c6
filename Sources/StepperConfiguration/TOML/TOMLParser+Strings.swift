internal import Varlink

/// Texts in quotes.
extension TOMLParser {
  /// Reads a text in any of the four kinds of quotes. With one quote on each side the text must end on its line;
  /// `quotes` is 3 for a text of several lines.
  mutating func parseString(quotes: Int = 1) throws(SyntaxError) -> String {
    let start = cursor.offset
    guard let quote = cursor.peek else { return "" }
    let isMultiline = quotes > 1
    cursor.advance(by: quotes)
    if isMultiline { _ = cursor.takeEndOfLine() }
    var content: [UInt8] = []
    while let byte = cursor.peek, isMultiline || !cursor.isAtEndOfLine {
      if byte == quote {
        let run = isMultiline ? cursor.quotes : 1
        cursor.advance(by: run)
        // Up to two quotes may precede the three that end the text.
        content += repeatElement(quote, count: run < quotes ? run : run - quotes)
        if run >= quotes { return try text(content, at: start) }
      } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        if !(isMultiline && takeLineEnding()) { try parseEscape(into: &content, ofTextAt: start) }
      } else {
        content.append(byte)
        cursor.advance()
      }
    }
    let closing = OutsideText.shown(repeatElement(quote, count: quotes))
    throw SyntaxError(
      "the text that begins here has no closing \(closing)\(isMultiline ? "" : " in its line")", at: start)
  }

  private func text(_ content: [UInt8], at start: Int) throws(SyntaxError) -> String {
    guard let text = OutsideText.text(content) else {
      throw SyntaxError(
        "has more than \(ConfigurationLimit.combiningCharacters) combining characters in a row", at: start)
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
    cursor.skipBlankLines()
    return true
  }

  /// Reads an escape sequence.
  private mutating func parseEscape(into content: inout [UInt8], ofTextAt start: Int) throws(SyntaxError) {
    let place = cursor.offset
    cursor.advance()
    let letter = cursor.peek
    switch letter {
    case "b"?: content.append(0x08)
    case "t"?: content.append(0x09)
    case "n"?: content.append(0x0a)
    case "f"?: content.append(0x0c)
    case "r"?: content.append(0x0d)
    case "\""?, "\\"?: content.append(letter ?? 0)
    case "u"?, "U"?:
      let scalar = try parseCodePoint(cursor.isAt("u") ? 4 : 8, at: place)
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
      + excerpt(OutsideText.shown(bytes).unicodeScalars.prefix(1).map(String.init).joined())
  }

  /// Reads the digits after `\u` or `\U`.
  private mutating func parseCodePoint(_ length: Int, at place: Int) throws(SyntaxError) -> Unicode.Scalar {
    cursor.advance()
    let digits = cursor.bytes[cursor.offset...].prefix(length)
    let text = OutsideText.shown(digits.prefix { isHexadecimalDigit($0) })
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
