/// The value of JSON numbers.
enum JSONNumber {
  /// No number is written with more bytes than this: more than any double needs without an exponent.
  static let longest = 400

  /// nil if it is no whole number, one that `type` does not hold, or longer than ``longest``.
  static func integer<Value: FixedWidthInteger>(
    _ literal: ArraySlice<UInt8>, as type: Value.Type = Int64.self
  ) -> Value? {
    if let short = short(literal.span) { return Value(exactly: short) }
    guard literal.count <= longest else { return nil }
    // Digits and signs, as the scanner has found.
    return Value(String(decoding: literal, as: UTF8.self)) ?? double(literal).flatMap { Value(exactly: $0) }
  }

  /// nil if it is larger than a double can be, or longer than ``longest``.
  static func double(_ literal: ArraySlice<UInt8>) -> Double? {
    // Exact: fewer digits than a double has.
    if let short = short(literal.span) {
      return short == 0 && literal.first == UInt8(ascii: "-") ? -0.0 : Double(short)
    }
    guard literal.count <= longest else { return nil }
    // As above.
    return Double(String(decoding: literal, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }

  /// A number of at most 15 digits and a sign, without point and exponent; nil: it is another one.
  private static func short(_ literal: Span<UInt8>) -> Int64? {
    guard literal.count <= 16, !literal.isEmpty else { return nil }
    let isNegative = literal[0] == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    guard literal.count - start <= 15 else { return nil }
    var value: Int64 = 0
    for index in start..<literal.count {
      guard (0x30...0x39).contains(literal[index]) else { return nil }
      value = 10 * value + Int64(literal[index] - 0x30)
    }
    return isNegative ? -value : value
  }
}
