/// Writing JSON straight into a byte buffer.
public enum JSONText {
  /// Appends `text` as a JSON string.
  package static func append(_ text: String, to buffer: inout [UInt8]) {
    buffer.append(UInt8(ascii: "\""))
    let isContiguous: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe append(escaping: bytes, to: &buffer)
    }
    // The storage of the text is not contiguous UTF-8.
    if isContiguous == nil { for byte in text.utf8 { append(escaping: byte, to: &buffer) } }
    buffer.append(UInt8(ascii: "\""))
  }

  /// Appends the bytes of a literal as they are.
  public static func append(literal: StaticString, to buffer: inout [UInt8]) {
    unsafe buffer.append(
      contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  private static func append(escaping bytes: UnsafeBufferPointer<UInt8>, to buffer: inout [UInt8]) {
    var start = 0
    for index in 0..<bytes.count where needsEscape(unsafe bytes[index]) {
      unsafe buffer.append(contentsOf: bytes[start..<index])
      append(escaping: unsafe bytes[index], to: &buffer)
      start = index + 1
    }
    unsafe buffer.append(contentsOf: bytes[start...])
  }

  /// The number of bytes of `text` as JSON, with quotes, all necessary escapes, and a comma after it.
  package static func size(of text: String) -> Int {
    var text = text
    return text.withUTF8 { bytes in
      var size = bytes.count + 3
      for index in 0..<bytes.count where needsEscape(unsafe bytes[index]) {
        size += unsafe bytes[index] < 0x20 ? 5 : 1
      }
      return size
    }
  }

  package static func size(of text: String?) -> Int { text.map { size(of: $0) } ?? 0 }

  /// Appends `integer` in decimal.
  static func append(_ integer: Int64, to buffer: inout [UInt8]) {
    // As many digits as the largest magnitude has.
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var first = digits.count
    var rest = integer.magnitude
    repeat {
      first -= 1
      digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    if integer < 0 { buffer.append(UInt8(ascii: "-")) }
    for index in first..<digits.count { buffer.append(digits[index]) }
  }

  /// Appends the shortest decimal that reads back as `number`: `0.3`, `50`, `1e-07`.
  ///
  /// Throws for a number that is not finite, which JSON cannot represent.
  static func append(_ number: Double, to buffer: inout [UInt8]) throws(VarlinkMessageError) {
    if let integer = integer(of: number) {
      append(integer, to: &buffer)
    } else {
      guard number.isFinite else { throw VarlinkMessageError("\(number) is not a finite number") }
      buffer.append(contentsOf: number.description.utf8)
    }
  }

  /// `number` as an integer; nil if it has a fraction, or is beyond ±2^53, up to which doubles represent all
  /// integers.
  static func integer(of number: Double) -> Int64? {
    guard number.magnitude <= 0x1p53 else { return nil }
    let integer = Int64(number)
    return Double(integer) == number ? integer : nil
  }

  /// Appends `true` or `false`.
  static func append(_ flag: Bool, to buffer: inout [UInt8]) {
    append(literal: flag ? "true" : "false", to: &buffer)
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func append(escaping byte: UInt8, to buffer: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""): append(literal: "\\\"", to: &buffer)
    case UInt8(ascii: "\\"): append(literal: "\\\\", to: &buffer)
    case 0x08: append(literal: "\\b", to: &buffer)
    case 0x09: append(literal: "\\t", to: &buffer)
    case 0x0a: append(literal: "\\n", to: &buffer)
    case 0x0c: append(literal: "\\f", to: &buffer)
    case 0x0d: append(literal: "\\r", to: &buffer)
    case 0..<0x20:
      append(literal: "\\u00", to: &buffer)
      buffer += [hexadecimal(byte >> 4), hexadecimal(byte & 15)]
    default: buffer.append(byte)
    }
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
}
