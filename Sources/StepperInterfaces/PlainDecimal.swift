internal import Varlink

/// An exact decimal of any length, as digits: what a state's text says, never a `Double`.
package struct PlainDecimal: Hashable, Sendable {
  package private(set) var isNegative: Bool
  /// The digits before the point, at least one, without needless zeros in front.
  package private(set) var whole: String
  /// The digits after the point, with the zeros at the end that were written.
  package private(set) var fraction: String

  /// Of digits; nil if there is none, or something else among them.
  package init?(isNegative: Bool, whole: some StringProtocol, fraction: some StringProtocol) {
    guard !(whole.isEmpty && fraction.isEmpty), whole.utf8.allSatisfy(Self.isDigit),
      fraction.utf8.allSatisfy(Self.isDigit)
    else { return nil }
    self.isNegative = isNegative
    self.whole = Self.withoutLeadingZeros(whole)
    self.fraction = String(fraction)
  }

  /// The number in the C locale: `-12.50`; nil if `text` is none.
  package init?(_ text: String) {
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0)
      .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, !whole.isEmpty, parts.last?.isEmpty == false else { return nil }
    self.init(isNegative: isNegative, whole: whole, fraction: parts.count > 1 ? parts[1] : "")
  }

  /// The shortest decimal that reads back as `value`; nil if it is not finite.
  package init?(_ value: Double) {
    let parts = String(value).split(separator: "e")
    guard value.isFinite, let mantissa = parts.first, var number = Self(String(mantissa)) else { return nil }
    if parts.count > 1 { number.movePoint(right: Int(parts[1]) ?? 0) }
    while number.fraction.hasSuffix("0") { number.fraction.removeLast() }
    if number.whole == "0", number.fraction.isEmpty { number.isNegative = false }
    self = number
  }

  /// The number in the C locale.
  package var text: String { (isNegative ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction) }

  /// Multiplies by 10 to the power of `places` by moving the point, which loses nothing.
  package mutating func movePoint(right places: Int) {
    let digits = places < 0 ? String(repeating: "0", count: -places) + whole + fraction : whole + fraction
    let position = places < 0 ? whole.count : whole.count + places
    let padded = digits + String(repeating: "0", count: max(0, position - digits.count))
    whole = Self.withoutLeadingZeros(padded.prefix(position))
    fraction = String(padded.dropFirst(position))
  }

  /// Rounds to at most `limit` digits that count, a half to the even digit, and drops zeros at the end of the
  /// fraction: 1234.5 with three digits is 1230, 0.012345 is 0.0123, 5.00 is 5.
  package mutating func round(toSignificantDigits limit: Int) {
    var digits = Array((whole + fraction).utf8)
    var point = whole.utf8.count
    let first = digits.firstIndex { $0 != Self.zero } ?? digits.count
    // Of a limit that a daemon sends, no more counts than there is to round.
    let end = first + min(max(1, limit), digits.count)
    if end < digits.count {
      let rest = digits[end...]
      let isUp = Self.isMoreThanHalf(rest) ?? !digits[end - 1].isMultiple(of: 2)
      digits.removeSubrange(end...)
      if isUp, Self.increment(&digits) { point += 1 }
    }
    digits += Array(repeating: Self.zero, count: max(0, point - digits.count))
    while digits.count > point, digits.last == Self.zero { digits.removeLast() }
    whole = Self.withoutLeadingZeros(OutsideText.shown(digits[..<point]))
    fraction = OutsideText.shown(digits[point...])
  }

  /// nil: exactly half.
  private static func isMoreThanHalf(_ digits: ArraySlice<UInt8>) -> Bool? {
    guard let first = digits.first, first >= five else { return false }
    return first > five || digits.dropFirst().contains { $0 != zero } ? true : nil
  }

  /// Adds 1 at the last digit; true if that made one digit more.
  private static func increment(_ digits: inout [UInt8]) -> Bool {
    for index in digits.indices.reversed() {
      if digits[index] < nine {
        digits[index] += 1
        return false
      }
      digits[index] = zero
    }
    digits.insert(zero + 1, at: 0)
    return true
  }

  private static let zero = UInt8(ascii: "0")
  private static let five = UInt8(ascii: "5")
  private static let nine = UInt8(ascii: "9")

  private static func isDigit(_ byte: UInt8) -> Bool { (zero...nine).contains(byte) }

  private static func withoutLeadingZeros(_ digits: some StringProtocol) -> String {
    let rest = digits.drop { $0 == "0" }
    return rest.isEmpty ? "0" : String(rest)
  }
}
