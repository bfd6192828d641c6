/// The inside of JSON strings.
enum JSONString {
  /// The index after the closing quote of a string, and whether the string is plain: printable ASCII without an
  /// escape. `start` is the index after the opening quote. nil if the string does not end, or contains invalid UTF-8,
  /// a control character or a bad escape.
  static func end(in bytes: Span<UInt8>, from start: Int) -> (end: Int, isPlain: Bool)? {
    var (position, isPlain) = (start, true)
    while true {
      position = endOfPlain(in: bytes, from: position)
      guard position < bytes.count else { return nil }
      switch bytes[position] {
      case UInt8(ascii: "\""):
        return (position + 1, isPlain)
      case UInt8(ascii: "\\"):
        guard let length = escapeLength(in: bytes, at: position) else { return nil }
        position += length
        isPlain = false
      case 0x20...0x7f:
        position += 1
      case let lead:
        guard let length = sequenceLength(in: bytes, at: position, lead: lead) else { return nil }
        position += length
        isPlain = false
      }
    }
  }

  /// The index of the first byte from `start` on that may be a quotation mark, an escape, or not printable ASCII.
  /// Eight bytes are checked at once, as long as that many are left.
  private static func endOfPlain(in bytes: Span<UInt8>, from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var position = start
    while position + 8 <= bytes.count {
      let word = UInt64(
        littleEndian: unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
      // A byte is zero where `word` has the quotation mark, or the escape.
      let (quote, escape) = (word ^ ones * 0x22, word ^ ones * 0x5c)
      // A byte that is less than the number subtracted from it gets its highest bit set. Its borrow affects only the
      // bytes after it.
      let others = (word | (word &- ones * 0x20) | (quote &- ones) | (escape &- ones)) & (ones << 7)
      guard others == 0 else { return position + others.trailingZeroBitCount / 8 }
      position += 8
    }
    return position
  }

  /// The text, as UTF-8, of a valid string, which is given without its quotes.
  static func unescaped(_ content: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(content.count)
    var position = 0
    while position < content.count {
      let byte = content[position]
      position += 1
      guard byte == UInt8(ascii: "\\"), position < content.count else {
        text.append(byte)
        continue
      }
      let escaped = content[position]
      position += 1
      switch escaped {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0c)
      case UInt8(ascii: "n"): text.append(0x0a)
      case UInt8(ascii: "r"): text.append(0x0d)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        var code = hexadecimal(content, at: position) ?? 0
        position += 4
        if (0xd800...0xdbff).contains(code), let low = hexadecimal(content, at: position + 2) {
          position += 6
          code = 0x10000 + (code - 0xd800) << 10 + (low & 0x3ff)
        }
        text.append(contentsOf: String(Unicode.Scalar(code) ?? "\u{fffd}").utf8)
      default: text.append(escaped)
      }
    }
    return text
  }

  /// The text of a valid string; `content` is its range without the quotes. nil if it is not valid as
  /// ``OutsideText/text``.
  static func string(in bytes: [UInt8], at content: Range<Int>, isPlain: Bool) -> String? {
    let content = bytes.span.extracting(content)
    // Printable ASCII.
    if isPlain { return unsafe String(copying: UTF8Span(unchecked: content, isKnownASCII: true)) }
    return OutsideText.text(unescaped(content).span)
  }

  /// Whether the string has at most `most` bytes of UTF-8 and is valid as ``OutsideText/text``.
  static func isText(_ string: JSONScanner.Member, in bytes: [UInt8], atMost most: Int) -> Bool {
    let content = string.value.dropFirst().dropLast()
    if string.isPlain { return content.count <= most }
    return OutsideText(unescaped(bytes.span.extracting(content)), atMost: most)?.text != nil
  }

  private static func escapeLength(in bytes: Span<UInt8>, at position: Int) -> Int? {
    guard position + 1 < bytes.count else { return nil }
    guard bytes[position + 1] == UInt8(ascii: "u") else {
      return "\"\\/bfnrt".utf8.contains(bytes[position + 1]) ? 2 : nil
    }
    switch hexadecimal(bytes, at: position + 2) {
    case nil, .some(0xdc00...0xdfff): return nil
    case .some(0xd800...0xdbff):
      guard position + 7 < bytes.count, bytes[position + 6] == UInt8(ascii: "\\"),
        bytes[position + 7] == UInt8(ascii: "u"),
        case .some(0xdc00...0xdfff) = hexadecimal(bytes, at: position + 8)
      else { return nil }
      return 12
    default: return 6
    }
  }

  /// The value of the four hexadecimal digits at `position`; nil if there are fewer.
  private static func hexadecimal(_ bytes: Span<UInt8>, at position: Int) -> UInt32? {
    guard position + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for index in position..<position + 4 {
      let digit = bytes[index]
      switch digit {
      case 0x30...0x39: value = value << 4 | UInt32(digit - 0x30)
      case 0x41...0x46: value = value << 4 | UInt32(digit - 0x41 + 10)
      case 0x61...0x66: value = value << 4 | UInt32(digit - 0x61 + 10)
      default: return nil
      }
    }
    return value
  }

  /// The length of the well-formed multi-byte UTF-8 sequence at `position` (The Unicode Standard, table 3-7).
  private static func sequenceLength(in bytes: Span<UInt8>, at position: Int, lead: UInt8) -> Int? {
    let second: ClosedRange<UInt8>
    let length: Int
    switch lead {
    case 0xc2...0xdf: (length, second) = (2, 0x80...0xbf)
    case 0xe0: (length, second) = (3, 0xa0...0xbf)
    case 0xed: (length, second) = (3, 0x80...0x9f)
    case 0xe1...0xef: (length, second) = (3, 0x80...0xbf)
    case 0xf0: (length, second) = (4, 0x90...0xbf)
    case 0xf1...0xf3: (length, second) = (4, 0x80...0xbf)
    case 0xf4: (length, second) = (4, 0x80...0x8f)
    default: return nil
    }
    guard position + length <= bytes.count, second.contains(bytes[position + 1]) else { return nil }
    for index in position + 2..<max(position + length, position + 2) {
      guard (0x80...0xbf).contains(bytes[index]) else { return nil }
    }
    return length
  }
}
