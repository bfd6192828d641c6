/// A decimal number: `units` × 10^−`digits`.
///
/// Values are stepped in integer units: adding and subtracting 0.1 a million times yields exactly the initial value,
/// and 0.3 prints as `0.3`. `Double` is used on the wire only.
package struct FixedPoint: Hashable, Sendable {
  package var units: Int64
  /// Decimal places of `units`: 0…9.
  package let digits: Int

  package static let maximumDigits = 9
  /// The most units of any number that is given to a control (10^18). The sum of any four such numbers fits in 64
  /// bits, and no step of arithmetic on checked settings can overflow.
  package static let mostUnits: UInt64 = 1_000_000_000_000_000_000
  /// 10^0 … 10^9.
  private static let powers: [Int64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  ]

  package init(units: Int64, digits: Int) {
    self.units = units
    self.digits = min(max(digits, 0), Self.maximumDigits)
  }

  /// The nearest double, by one correctly rounded conversion.
  package var doubleValue: Double {
    let exactIntegers: Int64 = 1 << 53
    guard units.magnitude > UInt64(exactIntegers) else { return Double(units) / Double(Self.powers[digits]) }
    // Both operands of the division must be exact. Beyond 2^53, only reading the decimal text rounds just once.
    return Double(description) ?? Double(units) / Double(Self.powers[digits])
  }

  /// How to round a number halfway between two others. The raw values are the words of the configuration.
  package enum Rounding: String, CaseIterable, Hashable, Sendable {
    case halfAway = "half-away"
    case halfEven = "half-even"
  }

  /// The same number with another number of decimal places, rounded to nearest and saturated at the ends of
  /// `Int64`.
  package func rescaled(to newDigits: Int, _ rounding: Rounding = .halfAway) -> FixedPoint {
    guard newDigits != digits else { return self }
    let newDigits = min(max(newDigits, 0), Self.maximumDigits)
    guard newDigits < digits else {
      let (product, overflow) = units.multipliedReportingOverflow(by: Self.powers[newDigits - digits])
      return FixedPoint(units: overflow ? (units < 0 ? .min : .max) : product, digits: newDigits)
    }
    let quotient = Self.quotient(of: units, by: Self.powers[digits - newDigits], rounding)
    return FixedPoint(units: quotient, digits: newDigits)
  }

  private static func quotient(of units: Int64, by divisor: Int64, _ rounding: Rounding) -> Int64 {
    let (quotient, remainder) = units.quotientAndRemainder(dividingBy: divisor)
    // Half of a power of ten above 1 is exact.
    let half = divisor.magnitude / 2
    let isAway =
      remainder.magnitude > half
      || remainder.magnitude == half && half > 0 && (rounding == .halfAway || !quotient.isMultiple(of: 2))
    return isAway ? quotient + (units < 0 ? -1 : 1) : quotient
  }

  /// The nearest number with at most `count` significant digits.
  package func rounded(toSignificantDigits count: Int, _ rounding: Rounding = .halfAway) -> FixedPoint {
    let excess = String(units.magnitude).utf8.count - max(count, 1)
    guard excess > 0 else { return self }
    var divisor: Int64 = 1
    for _ in 0..<min(excess, 18) { divisor *= 10 }
    let (product, overflow) = Self.quotient(of: units, by: divisor, rounding)
      .multipliedReportingOverflow(by: divisor)
    return overflow ? self : FixedPoint(units: product, digits: digits)
  }

  /// The same number with as few decimal places as it needs.
  package var normalized: FixedPoint {
    var result = self
    while result.digits > 0, result.units.isMultiple(of: 10) {
      result = FixedPoint(units: result.units / 10, digits: result.digits - 1)
    }
    return result
  }
}

extension FixedPoint: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int64) { self.init(units: value, digits: 0) }
}

extension FixedPoint: Comparable {
  package static func == (left: FixedPoint, right: FixedPoint) -> Bool {
    guard left.digits != right.digits else { return left.units == right.units }
    let (left, right) = (left.normalized, right.normalized)
    return left.units == right.units && left.digits == right.digits
  }

  package func hash(into hasher: inout Hasher) {
    let normalized = normalized
    hasher.combine(normalized.units)
    hasher.combine(normalized.digits)
  }

  package static func < (left: FixedPoint, right: FixedPoint) -> Bool {
    let (leftWhole, leftPart) = left.split
    let (rightWhole, rightPart) = right.split
    return (leftWhole, leftPart) < (rightWhole, rightPart)
  }

  /// The integer part rounded down, and the rest in billionths: comparable without overflow.
  private var split: (whole: Int64, billionths: Int64) {
    let power = Self.powers[digits]
    var (whole, rest) = units.quotientAndRemainder(dividingBy: power)
    if rest < 0 { (whole, rest) = (whole - 1, rest + power) }
    return (whole, rest * Self.powers[Self.maximumDigits - digits])
  }
}

extension FixedPoint: CustomStringConvertible {
  /// Always `digits` decimal places, with `.`, and never `-0`.
  package var description: String {
    guard digits > 0 else { return String(units) }
    let text = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
    return "\(units < 0 ? "-" : "")\(padded.dropLast(digits)).\(padded.suffix(digits))"
  }
}

extension FixedPoint {
  /// Reads `12`, `-0.5`, `+3.25` or `1e-3`; nil if `text` is anything else, has more than nine decimal
  /// places, or does not fit.
  package init?(_ text: some StringProtocol) {
    let text = text.utf8
    let marker = text.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? text.endIndex
    let point = text[..<marker].firstIndex(of: UInt8(ascii: ".")) ?? marker
    let fraction = text[point..<marker].dropFirst()
    // The fraction must begin with a digit: without a whole part, Int64 would accept a sign there.
    guard fraction.first.map({ (0x30...0x39).contains($0) }) ?? true,
      // Bytes of `text`. Int64 refuses a second point, and a sign anywhere but at the beginning.
      var units = Int64(String(decoding: Array(text[..<point]) + fraction, as: UTF8.self)), units != .min
    else { return nil }
    var digits = fraction.count
    if marker < text.endIndex {
      // Int refuses everything but digits after a sign, byte by byte.
      guard let exponent = Int(String(decoding: text[marker...].dropFirst(), as: UTF8.self)),
        (-30...30).contains(exponent)
      else { return nil }
      digits -= exponent
    }
    while digits > 0, units.isMultiple(of: 10) { (units, digits) = (units / 10, digits - 1) }
    while digits < 0 {
      let (product, overflow) = units.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      (units, digits) = (product, digits + 1)
    }
    guard digits <= Self.maximumDigits else { return nil }
    self.init(units: units, digits: digits)
  }

  /// The shortest decimal that reads back as `double`, rounded to nine decimal places; nil if it does not
  /// fit or is not finite.
  package init?(nearest double: Double) {
    if let whole = Int64(exactly: double), whole.magnitude <= 1 << 53 {
      self.init(units: whole, digits: 0)
      return
    }
    guard double.isFinite else { return nil }
    if let exact = FixedPoint(double.description) {
      self = exact
      return
    }
    let scaled = (double * 1e9).rounded(.toNearestOrAwayFromZero)
    guard let units = Int64(exactly: scaled) else { return nil }
    self = FixedPoint(units: units, digits: Self.maximumDigits).normalized
  }
}
