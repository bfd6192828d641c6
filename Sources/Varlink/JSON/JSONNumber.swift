/// The value of JSON numbers.
enum JSONNumber {
  /// No number is written with more bytes than this: more than any double needs without an exponent.
  static let longest = 400

  /// nil if it is no whole number, one that `type` does not hold, or longer than ``longest``.
  static func integer<Value: FixedWidthInteger>(
    _ literal: ArraySlice<UInt8>, as type: Value.Type = Int64.self
  ) -> Value? {
    guard literal.count <= longest else { return nil }
    return Value(String(decoding: literal, as: UTF8.self)) ?? double(literal).flatMap { Value(exactly: $0) }
  }

  /// nil if it is larger than a double can be, or longer than ``longest``.
  static func double(_ literal: ArraySlice<UInt8>) -> Double? {
    guard literal.count <= longest else { return nil }
    return Double(String(decoding: literal, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }
}
