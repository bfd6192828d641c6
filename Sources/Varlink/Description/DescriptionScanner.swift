/// Cuts the description of an interface into names and punctuation, and keeps the comment above each.
struct DescriptionScanner {
  /// A name or a punctuation mark.
  struct Token {
    /// Empty at the end of the text.
    var text: String
    /// The lines of the comment directly above the token, without their number signs.
    var comment: String
    var line: Int
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  /// The line on which the previous token ended.
  private var lastLine = 0

  init(_ text: String) {
    // A line may end with CR, LF or both.
    let ended = Array(text.utf8)
    bytes = ended.indices.compactMap { index in
      guard ended[index] == 0x0d else { return ended[index] }
      return index + 1 < ended.count && ended[index + 1] == 0x0a ? nil : 0x0a
    }
  }

  mutating func next() throws(DescriptionError) -> Token {
    let comment = skipSpace()
    let start = position
    guard let byte = peek else { return Token(text: "", comment: comment, line: line) }
    if Self.isName(byte), !isArrow {
      while let byte = peek, Self.isName(byte), !isArrow { position += 1 }
    } else if isArrow {
      position += 2
    } else if "():,?[]".utf8.contains(byte) {
      position += 1
    } else {
      throw DescriptionError(line: line, reason: "a character that no description has")
    }
    lastLine = line
    return Token(text: OutsideText.shown(bytes[start..<position].span), comment: comment, line: line)
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }
  private var isArrow: Bool { bytes[position...].starts(with: "->".utf8) }

  private static func isName(_ byte: UInt8) -> Bool {
    byte.isNameByte || byte == UInt8(ascii: ".")
  }

  /// Skips space and comments, and returns the comment on the lines directly above the next token. A comment on the
  /// line of the previous token belongs to that token, and a comment with an empty line below it belongs to none.
  private mutating func skipSpace() -> String {
    var comment: [String] = []
    var isLineEmpty = line == lastLine ? false : true
    while let byte = peek {
      switch byte {
      case 0x0a:
        if isLineEmpty { comment = [] }
        isLineEmpty = true
        line += 1
        position += 1
      case 0x20, 0x09:
        position += 1
      case UInt8(ascii: "#"):
        let end = bytes[position...].firstIndex(of: 0x0a) ?? bytes.count
        if line != lastLine {
          let text = bytes[position + 1..<end]
          comment.append(OutsideText.shown((text.first == UInt8(ascii: " ") ? text.dropFirst() : text).span))
        }
        isLineEmpty = false
        position = end
      default:
        return comment.joined(separator: "\n")
      }
    }
    return ""
  }
}
