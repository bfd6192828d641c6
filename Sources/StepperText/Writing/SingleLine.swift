/// Text from outside for a log, a terminal or a protocol of lines.
///
/// Device names, keys of a configuration, the output of clients and commands, paths and environment variables
/// are untrusted. Unescaped they could start a new line, control a terminal, or imitate another text.
extension StringProtocol {
  /// This text as one line in which every character is visible. A text of more than `limit` bytes in UTF-8 (at least 3)
  /// is truncated and ends with `…`.
  ///
  /// Ordinary text of every script is unchanged. Escaped, as `\n`, `\x1b` or `\u{202e}`, are control characters,
  /// separators of lines and paragraphs, bidirectional controls, invisible characters, characters without a fixed
  /// meaning (private use, unassigned), and more than eight combining characters on one letter. Joiners and variation
  /// selectors are kept only where the writing system needs them.
  ///
  /// Escaping the result again leaves it unchanged.
  package func onOneLine(limit: Int = .max) -> String {
    let limit = Swift.max(limit, SingleLine.ellipsis.utf8.count)
    if utf8.count <= limit, utf8.allSatisfy({ (0x20...0x7e).contains($0) }) { return String(self) }
    var line = SingleLine(limit: limit)
    var scalars = unicodeScalars.makeIterator()
    var scalar = scalars.next()
    while let current = scalar, !line.isFull {
      scalar = scalars.next()
      line.append(current, before: scalar)
    }
    return line.text
  }
}

/// A line that grows scalar by scalar.
private struct SingleLine {
  static let ellipsis = "…"
  /// The maximum number of combining characters: more than any writing system needs, and few enough to stay within
  /// their line.
  private static let mostMarks = 8

  private(set) var text = ""
  private(set) var isFull = false
  private let limit: Int
  /// The number of bytes in `text` when there was last room for the ellipsis.
  private var countBeforeEllipsis = 0
  /// The last appended character; nil if it was escaped.
  private var former: Unicode.Scalar?
  private var marks = 0

  init(limit: Int) { self.limit = limit }

  mutating func append(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) {
    marks = scalar.isMark ? marks + 1 : 0
    let isShown = marks <= Self.mostMarks && (!scalar.isHidden || isNeeded(scalar, before: next))
    let piece = isShown ? String(scalar) : scalar.writtenOut
    guard text.utf8.count + piece.utf8.count <= limit else { return cut() }
    text += piece
    if text.utf8.count + Self.ellipsis.utf8.count <= limit { countBeforeEllipsis = text.utf8.count }
    former = isShown ? scalar : nil
  }

  private mutating func cut() {
    text = String(text.utf8.prefix(countBeforeEllipsis)) ?? ""
    // The character that a joiner or selector applies to may have been truncated.
    while let last = text.unicodeScalars.last, last.isHidden { text.unicodeScalars.removeLast() }
    text += Self.ellipsis
    isFull = true
  }

  /// Whether the invisible `scalar` affects its neighbours.
  private func isNeeded(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
    guard let former else { return false }
    switch scalar.value {
    // Joiners: between letters of scripts that join them, and between the parts of an emoji.
    case 0x200c, 0x200d: return former.isJoined && (next?.isJoined ?? false) && next?.isHidden == false
    // Variation selectors for text or emoji presentation; after a digit only within a keycap.
    case 0xfe0e, 0xfe0f:
      return former.properties.isEmoji
        && (!former.isASCII || (scalar.value == 0xfe0f && next?.value == 0x20e3))
    // Variation selectors for shapes of an ideograph or a mathematical sign.
    case 0xfe00...0xfe0d, 0xe0100...0xe01ef:
      return former.properties.isIdeographic || former.properties.generalCategory == .mathSymbol
    default: return false
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is invisible or a control character.
  fileprivate var isHidden: Bool {
    // Most scalars are ASCII, and each property costs a look-up.
    if isASCII { return !(0x20...0x7e).contains(value) }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
      return true
    default: return properties.isDefaultIgnorableCodePoint
    }
  }

  fileprivate var isMark: Bool {
    guard !isASCII else { return false }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return !properties.isDefaultIgnorableCodePoint
    default: return false
    }
  }

  /// Whether an adjacent joiner may have an effect: not for Latin, Greek or Cyrillic letters, spaces and joiners.
  fileprivate var isJoined: Bool {
    value >= 0x600 && value != 0x200c && value != 0x200d && properties.generalCategory != .spaceSeparator
  }

  /// The escape sequence that programmers know.
  fileprivate var writtenOut: String {
    switch self {
    case "\n": return #"\n"#
    case "\r": return #"\r"#
    case "\t": return #"\t"#
    default:
      let digits = String(value, radix: 16)
      guard isASCII else { return #"\u{\#(digits)}"# }
      return digits.utf8.count == 1 ? #"\x0\#(digits)"# : #"\x\#(digits)"#
    }
  }
}
