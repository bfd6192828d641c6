/// A text in quotes on one line: `"Griffin PowerMate"`. Quotes, backslashes, and characters that are invisible or
/// control a terminal are escaped, as in `\u{22}`.
package enum QuotedText {
  package static func write(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20...0x7e).contains($0) && $0 != 0x22 && $0 != 0x5c }) {
      return "\"\(text)\""
    }
    // Each scalar is checked by itself, so a combining character or joiner that depends on its neighbours is escaped.
    let scalars = text.unicodeScalars.map { scalar in
      let piece = String(scalar)
      let isPlain = scalar != "\"" && scalar != "\\" && piece.onOneLine() == piece
      return isPlain ? piece : "\\u{\(String(scalar.value, radix: 16))}"
    }
    return "\"\(scalars.joined())\""
  }

  /// Reads a quoted text at the beginning of `line`, and removes it and the blanks after it.
  package static func read(
    from line: inout Substring, upTo limit: Int = RecordingLimit.textBytes
  ) throws(NotationError) -> String {
    guard line.unicodeScalars.first == "\"" else {
      throw NotationError("a text in quotes is expected, found \(NotationError.quoted(line))")
    }
    var scalars = line.unicodeScalars.dropFirst()
    var text = String.UnicodeScalarView()
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\"":
        let text = String(text)
        guard text.utf8.count <= limit else {
          throw NotationError("a text has \(text.utf8.count) bytes; at most \(limit) are allowed")
        }
        line = Substring(scalars.drop { $0 == " " || $0 == "\t" })
        return text
      case "\\": text.append(try escaped(&scalars))
      default: text.append(scalar)
      }
    }
    throw NotationError("a text has no quote at its end")
  }

  /// Reads `u{22}` after a backslash.
  private static func escaped(
    _ scalars: inout Substring.UnicodeScalarView
  ) throws(NotationError) -> Unicode.Scalar {
    let end = scalars.prefix(10).firstIndex(of: "}") ?? scalars.startIndex
    let escape = String(scalars[..<end])
    guard escape.hasPrefix("u{"), let number = UInt32(escape.dropFirst(2), radix: 16),
      let scalar = Unicode.Scalar(number)
    else {
      throw NotationError("after a backslash only u{NUMBER} is allowed, such as \\u{22} for a quote")
    }
    scalars = scalars[scalars.index(after: end)...]
    return scalar
  }
}
