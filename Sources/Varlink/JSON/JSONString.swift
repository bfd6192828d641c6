/// The inside of JSON strings.
enum JSONString {
  /// The index after the closing quote of the string whose first byte after the opening quote is at `start`;
  /// nil if it does not end, holds invalid UTF-8, a control character or a bad escape.
  static func end(in bytes: [UInt8], from start: Int) -> Int? {
    var position = start
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        return position + 1
      case UInt8(ascii: "\\"):
        guard let length = escapeLength(in: bytes, at: position) else { return nil }
        position += length
      case 0x20...0x7f:
        position += 1
      case let lead:
        guard let length = sequenceLength(in: bytes, at: position, lead: lead) else { return nil }
        position += length
      }
    }
    return nil
  }

  /// The text of a string that was found valid, given without its quotes, as UTF-8.
  static func text(of content: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard content.contains(UInt8(ascii: "\\")) else { return content }
    var text: [UInt8] = []
    var rest = content
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
        text.append(byte)
        continue
      }
      switch escaped {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0c)
      case UInt8(ascii: "n"): text.append(0x0a)
      case UInt8(ascii: "r"): text.append(0x0d)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        var code = hexadecimal(rest.prefix(4)) ?? 0
        rest = rest.dropFirst(4)
        if (0xd800...0xdbff).contains(code), let low = hexadecimal(rest.dropFirst(2).prefix(4)) {
          rest = rest.dropFirst(6)
          code = 0x10000 + (code - 0xd800) << 10 + (low & 0x3ff)
        }
        text.append(contentsOf: String(Unicode.Scalar(code) ?? "\u{fffd}").utf8)
      default: text.append(escaped)
      }
    }
    return text[...]
  }

  /// The text of a string that was found valid, given without its quotes.
  static func string(of content: ArraySlice<UInt8>) -> String {
    String(decoding: text(of: content), as: UTF8.self)
  }

  /// How many bytes of UTF-8 the text of a valid string has, which is given with its quotes.
  static func length(of literal: ArraySlice<UInt8>) -> Int {
    text(of: literal.dropFirst().dropLast()).count
  }

  private static func escapeLength(in bytes: [UInt8], at position: Int) -> Int? {
    guard position + 1 < bytes.count else { return nil }
    guard bytes[position + 1] == UInt8(ascii: "u") else {
      return "\"\\/bfnrt".utf8.contains(bytes[position + 1]) ? 2 : nil
    }
    switch hexadecimal(bytes[position...].dropFirst(2).prefix(4)) {
    case nil, .some(0xdc00...0xdfff): return nil
    case .some(0xd800...0xdbff):
      let next = bytes[position...].dropFirst(6)
      guard next.starts(with: "\\u".utf8),
        case .some(0xdc00...0xdfff) = hexadecimal(next.dropFirst(2).prefix(4))
      else { return nil }
      return 12
    default: return 6
    }
  }

  /// The value of exactly four hexadecimal digits.
  private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt32? {
    guard digits.count == 4 else { return nil }
    var value: UInt32 = 0
    for digit in digits {
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
  private static func sequenceLength(in bytes: [UInt8], at position: Int, lead: UInt8) -> Int? {
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
    let rest = bytes[(position + 1)...].prefix(length - 1)
    guard rest.count == length - 1, let first = rest.first, second.contains(first) else { return nil }
    return rest.dropFirst().allSatisfy { (0x80...0xbf).contains($0) } ? length : nil
  }
}
