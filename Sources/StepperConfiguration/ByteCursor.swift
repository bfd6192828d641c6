/// A place in the text of a TOML document, and the steps of its grammar that need no knowledge of tables.
struct ByteCursor {
  let bytes: [UInt8]
  private(set) var offset = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// nil at the end.
  var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  mutating func advance(by count: Int = 1) { offset = min(offset + count, bytes.count) }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: scalar) else { return false }
    offset += 1
    return true
  }

  private func starts(with text: StaticString) -> Bool {
    bytes[offset...].starts(with: text.description.utf8)
  }

  mutating func skipByteOrderMark() {
    if starts(with: "\u{feff}") { advance(by: 3) }
  }

  /// Spaces and tabs.
  mutating func skipBlanks() {
    while let byte = peek, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { offset += 1 }
  }

  /// Blanks, ends of lines and comments.
  mutating func skipTrivia() {
    while let byte = peek {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): offset += 1
      case UInt8(ascii: "#"): skipLine()
      default: return
      }
    }
  }

  /// To the end of the line, not beyond.
  mutating func skipLine() {
    while let byte = peek, byte != UInt8(ascii: "\n") { offset += 1 }
  }

  /// Whether no value can begin here: every value begins with a printable ASCII character that ends none.
  var isAtEndOfValue: Bool {
    guard let byte = peek else { return false }
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "#"), UInt8(ascii: "_"):
      return true
    default: return !(0x20..<0x7f).contains(byte)
    }
  }

  /// Whether a key can begin here; so it is taken to be at the end, where a better error follows.
  var isAtKey: Bool {
    guard let byte = peek else { return true }
    return isBareKeyByte(byte) || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  /// A number, date or word: to the next `,`, `]`, `}`, `#` or end of line, without the blanks before it;
  /// false if there is nothing.
  mutating func skipScalar() -> Bool {
    let start = offset
    var end = offset
    scalar: while let byte = peek {
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "#"), UInt8(ascii: "\n"):
        break scalar
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        offset += 1
      default:
        offset += 1
        end = offset
      }
    }
    offset = end
    return end > start
  }

  mutating func takeBareKey() -> String? {
    let start = offset
    while let byte = peek, isBareKeyByte(byte) { offset += 1 }
    return offset > start ? String(decoding: bytes[start..<offset], as: UTF8.self) : nil
  }

  /// A string with its quotes, one or three, basic or literal. `text` is nil if it does not end;
  /// `hasNUL` says that an escape in it stands for NUL.
  mutating func takeString() -> (text: String?, hasNUL: Bool) {
    guard let quote = peek else { return (nil, false) }
    let isBasic = quote == UInt8(ascii: "\"")
    let isMultiline = bytes[offset...].starts(with: [quote, quote, quote])
    advance(by: isMultiline ? 3 : 1)
    var content: [UInt8] = []
    var hasNUL = false
    while let byte = peek {
      if byte == quote {
        let run = bytes[offset...].prefix(5).prefix { $0 == quote }.count
        guard isMultiline, run < 3 else {
          // Up to two quotes may stand right before the three that end it.
          if isMultiline { content += [UInt8](repeating: quote, count: run - 3) }
          advance(by: isMultiline ? run : 1)
          return (String(decoding: content, as: UTF8.self), hasNUL)
        }
        content += [UInt8](repeating: quote, count: run)
        advance(by: run)
      } else if byte == UInt8(ascii: "\n"), !isMultiline {
        return (nil, hasNUL)
      } else if byte == UInt8(ascii: "\\"), isBasic {
        advance()
        let scalar = takeEscape()
        if scalar == "\0" { hasNUL = true }
        if let scalar { content += Array(String(scalar).utf8) }
      } else {
        content.append(byte)
        advance()
      }
    }
    return (nil, hasNUL)
  }

  /// What follows a backslash; nil if it stands for nothing, such as the end of a line.
  private mutating func takeEscape() -> Unicode.Scalar? {
    guard let byte = peek else { return nil }
    advance()
    switch byte {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "e"): return "\u{1b}"
    case UInt8(ascii: "x"), UInt8(ascii: "u"), UInt8(ascii: "U"):
      let length = byte == UInt8(ascii: "x") ? 2 : byte == UInt8(ascii: "u") ? 4 : 8
      let digits = bytes[offset...].prefix(length)
      guard let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
      advance(by: digits.count)
      return Unicode.Scalar(number)
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
      while let blank = peek, [0x20, 0x09, 0x0d, 0x0a].contains(blank) { advance() }
      return nil
    default: return byte < 0x80 ? Unicode.Scalar(byte) : nil
    }
  }
}
