internal import Varlink

/// Booleans, numbers and dates, and invalid words.
extension TOMLParser {
  mutating func parseScalar() throws(SyntaxError) -> DocumentNode {
    let start = cursor.offset
    var word = cursor.takeWord()
    // A date and a time may be separated by a space.
    if ScalarSyntax.isDate(word), cursor.isAt(" "), cursor.peek(1).map(isDigit) == true {
      cursor.advance()
      _ = cursor.takeWord()
      word = cursor.bytes[start..<cursor.offset]
    }
    let text = OutsideText.shown(word)
    if let flag = Bool(text) { return .boolean(flag) }
    if ScalarSyntax.isInteger(word) { return .integer(literal: text) }
    if ScalarSyntax.isDecimal(word) { return .decimal(literal: text) }
    if ScalarSyntax.isDateOrTime(word) { return .date }
    cursor.move(to: start)
    throw noScalar(text, at: start)
  }

  /// The error, with a suggestion, for a word without quotes.
  private func noScalar(_ word: String, at start: Int) -> SyntaxError {
    let found = excerpt(word)
    if isSmartQuote(at: start) {
      return SyntaxError(
        "texts need straight quotes, found \(found)", at: start, suggesting: unquotedText(from: start))
    }
    switch word.utf8.count <= 5 ? word.lowercased() : "" {
    case "true", "false":
      return SyntaxError("true and false are written in small letters, found \(found)", at: start)
    case "yes", "no", "on", "off":
      return SyntaxError("must be true or false, or a text in quotes, found \(found)", at: start)
    default: break
    }
    if let fault = ScalarFault.of(word.utf8) { return SyntaxError("\(fault), found \(found)", at: start) }
    return SyntaxError("texts need quotes, found \(found)", at: start, suggesting: unquotedText(from: start))
  }

  func isSmartQuote(at offset: Int) -> Bool {
    OutsideText.shown(cursor.bytes[offset...].prefix(3)).unicodeScalars.first.map(isSmartQuote)
      == true
  }

  /// Whether `scalar` is a typographic quote: “ ” „ ‘ ’ « » and similar ones.
  private func isSmartQuote(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{ab}", "\u{bb}", "\u{2018}"..."\u{201f}", "\u{2039}", "\u{203a}": true
    default: false
    }
  }

  /// The rest of the line as the string that was probably intended; nil if it cannot be quoted.
  private func unquotedText(from start: Int) -> String? {
    var scalars = Substring(OutsideText.shown(unquotedBytes(from: start))).unicodeScalars
    if scalars.first.map(isSmartQuote) == true { scalars.removeFirst() }
    if scalars.last.map(isSmartQuote) == true { scalars.removeLast() }
    let isPlain = scalars.allSatisfy { scalar in
      !"\"'\\".unicodeScalars.contains(scalar) && !isSmartQuote(scalar) && isPrintable(scalar)
    }
    return isPlain && !scalars.isEmpty && scalars.count <= longestExcerpt ? String(scalars) : nil
  }

  private func unquotedBytes(from start: Int) -> ArraySlice<UInt8> {
    var cursor = cursor
    cursor.move(to: start)
    var end = start
    while cursor.offset - start < 4 * longestExcerpt {
      let word = cursor.takeWord()
      // In an array or a table in braces the text ends with its word.
      if !word.isEmpty { end = cursor.offset }
      guard openBrackets == 0, !word.isEmpty else { break }
      cursor.skipBlanks()
    }
    return cursor.bytes[start..<end]
  }
}
