/// The longest part of a text that a message quotes, in Unicode scalars.
let longestExcerpt = 60

/// `text` on one line for a terminal: unprintable characters are escaped, and the text is truncated to
/// ``longestExcerpt``.
func excerpt(_ text: some StringProtocol) -> String { excerpt(text, escaping: "") }

/// ``excerpt(_:)`` in double quotes; double quotes in the text are escaped.
package func quoted(_ text: String) -> String { "\"\(excerpt(text, escaping: "\"\\"))\"" }

/// The allowed values for messages: only the first of `words` if there are many.
func list(_ words: some Sequence<String>) -> String {
  let longest = 400
  var text = ""
  for word in words {
    guard text.utf8.count < longest else { return text + ", …" }
    text += (text.isEmpty ? "" : ", ") + word
  }
  return text
}

private func excerpt(_ text: some StringProtocol, escaping marks: String) -> String {
  var result = ""
  for (count, scalar) in text.unicodeScalars.enumerated() {
    guard count < longestExcerpt else { return result + "…" }
    switch scalar {
    case "\n": result += "\\n"
    case "\t": result += "\\t"
    case _ where marks.unicodeScalars.contains(scalar): result += "\\\(scalar)"
    case _ where !isPrintable(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// Whether a terminal only displays the character: it is no control character, line separator or change of direction.
func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator: false
  default: true
  }
}
