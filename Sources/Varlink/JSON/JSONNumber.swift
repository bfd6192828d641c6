/// The value of JSON numbers.
enum JSONNumber {
  /// Longer numbers are refused: this is more than any double needs without an exponent.
  static let longest = 400

  /// The whole number; nil if `literal` is none, does not fit in `type`, or is longer than ``longest``.
  static func integer<Value: FixedWidthInteger>(
    _ literal: ArraySlice<UInt8>, as type: Value.Type = Int64.self
  ) -> Value? {
    if let short = short(literal.span) { return Value(exactly: short) }
    guard literal.count <= longest else { return nil }
    // The scanner has checked that there are only digits and signs.
    return Value(String(decoding: literal, as: UTF8.self)) ?? double(literal).flatMap { Value(exactly: $0) }
  }

  /// The number; nil if it is too large for a double, or longer than ``longest``.
  static func double(_ literal: ArraySlice<UInt8>) -> Double? {
    // Exact, because the number has fewer digits than a double holds.
    if let short = short(literal.span) {
      return short == 0 && literal.first == UInt8(ascii: "-") ? -0.0 : Double(short)
    }
    guard literal.count <= longest else { return nil }
    // The scanner has checked the bytes.
    return Double(String(decoding: literal, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The value of a number with at most 15 digits and a sign, without point and exponent; nil for any other number.
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
