/// Writing JSON straight into a byte buffer.
public enum JSONText {
  /// Appends `text` as a JSON string.
  package static func append(_ text: String, to buffer: inout [UInt8]) {
    buffer.append(UInt8(ascii: "\""))
    if text.utf8.contains(where: needsEscape) {
      for byte in text.utf8 { appendEscaping(byte, to: &buffer) }
    } else {
      buffer.append(contentsOf: text.utf8)
    }
    buffer.append(UInt8(ascii: "\""))
  }

  /// How many bytes `text` takes between quotes, with everything escaped, and with a comma behind it.
  package static func size(of text: String) -> Int {
    text.utf8.reduce(3) { size, byte in size + (byte < 0x20 ? 6 : needsEscape(byte) ? 2 : 1) }
  }

  package static func size(of text: String?) -> Int { text.map { size(of: $0) } ?? 0 }

  /// Appends `integer` in decimal.
  static func append(_ integer: Int64, to buffer: inout [UInt8]) {
    if integer < 0 { buffer.append(UInt8(ascii: "-")) }
    let start = buffer.count
    var rest = integer.magnitude
    repeat {
      buffer.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    buffer[start...].reverse()
  }

  /// Appends the shortest decimal that reads back as `number`: `0.3`, `50`, `1e-07`.
  ///
  /// Throws for a number that is not finite, which JSON cannot say.
  static func append(_ number: Double, to buffer: inout [UInt8]) throws(VarlinkMessageError) {
    if let integer = Int64(exactly: number), integer.magnitude <= 1 << 53 {
      append(integer, to: &buffer)
    } else {
      guard number.isFinite else { throw VarlinkMessageError("\(number) is not a finite number") }
      buffer.append(contentsOf: number.description.utf8)
    }
  }

  /// Appends `true` or `false`.
  static func append(_ flag: Bool, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: (flag ? "true" : "false").utf8)
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func appendEscaping(_ byte: UInt8, to buffer: inout [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): buffer += [UInt8(ascii: "\\"), byte]
    case 0x08: buffer += Array("\\b".utf8)
    case 0x09: buffer += Array("\\t".utf8)
    case 0x0a: buffer += Array("\\n".utf8)
    case 0x0c: buffer += Array("\\f".utf8)
    case 0x0d: buffer += Array("\\r".utf8)
    case 0..<0x20: buffer += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    default: buffer.append(byte)
    }
  }
}
