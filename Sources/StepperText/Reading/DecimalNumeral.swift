import StepperCore

/// A decimal number in its text form: ±`digits` × 10^`exponent`, of any length and size.
struct DecimalNumeral: Hashable, Sendable {
  var isNegative = false
  var digits: [UInt8]
  var exponent = 0

  /// The accepted forms of a number.
  struct Syntax {
    let signs: [Unicode.Scalar]
    let hasExponent: Bool

    /// `-1.5e-3`, as C and ``FixedPoint`` read it.
    static let scientific = Syntax(signs: ["+", "-"], hasExponent: true)
    /// `1.5e-3`: a sign before it is an operator.
    static let unsigned = Syntax(signs: [], hasExponent: true)
    /// `-1.5`: NumberBox's DecimalFormatter in English, which groups no digits.
    static let numberBox = Syntax(signs: ["-"], hasExponent: false)
  }
}

extension DecimalNumeral {
  /// The number as a decimal, rounded to nine decimal places (ties away from zero), or to fewer if nine do not fit.
  var reading: TextReading {
    let digits = Array(digits.drop { $0 == 0 })
    let wholeDigits = digits.count + exponent
    guard !digits.isEmpty, wholeDigits >= -FixedPoint.maximumDigits else { return .number(0) }
    let longest = min(max(-exponent, 0), FixedPoint.maximumDigits)
    // A number with more than 19 whole digits never fits, even without decimal places.
    guard wholeDigits <= 19 else { return .beyond(isNegative ? .decrement : .increment) }
    for places in stride(from: longest, through: 0, by: -1) {
      guard let units = Self.units(of: digits, keeping: wholeDigits + places) else { continue }
      return .number(FixedPoint(units: isNegative ? -units : units, digits: places).normalized)
    }
    return .beyond(isNegative ? .decrement : .increment)
  }

  /// The first `count` of `digits`, filled up with zeros or rounded; nil if they do not fit.
  private static func units(of digits: [UInt8], keeping count: Int) -> Int64? {
    var units: Int64 = 0
    for index in 0..<max(count, 0) {
      let (product, overflow) = units.multipliedReportingOverflow(by: 10)
      let (sum, carried) = product.addingReportingOverflow(index < digits.count ? Int64(digits[index]) : 0)
      guard !overflow, !carried else { return nil }
      units = sum
    }
    guard count >= 0, count < digits.count, digits[count] >= 5 else { return units }
    return units < .max ? units + 1 : nil
  }

  /// The nearest double; infinite if it is too large.
  var doubleValue: Double {
    // The bytes are ASCII digits.
    let text = String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)
    return Double("\(isNegative ? "-" : "")\(text)e\(exponent)") ?? .nan
  }
}

extension TextScanner {
  /// Reads the longest decimal number at the position; nil without reading if there is none.
  mutating func takeDecimal(_ syntax: DecimalNumeral.Syntax) -> DecimalNumeral? {
    var attempt = self
    let sign = syntax.signs.first { attempt.take($0) }
    let whole = attempt.takeDigits(\.asciiDigit)
    let fraction = attempt.take(".") ? attempt.takeDigits(\.asciiDigit) : []
    guard !(whole.isEmpty && fraction.isEmpty) else { return nil }
    let exponent = syntax.hasExponent ? attempt.takeExponent(after: "e") : nil
    self = attempt
    return DecimalNumeral(
      isNegative: sign == "-", digits: whole + fraction, exponent: (exponent ?? 0) - fraction.count)
  }

  /// Reads an exponent such as `e-3`; returns nil and reads nothing if it is incomplete. The exponent saturates far
  /// beyond what ``TextRules/maximumLength`` digits could compensate for.
  mutating func takeExponent(after marker: String) -> Int? {
    var attempt = self
    guard attempt.takeWord(marker) else { return nil }
    let isNegative = attempt.take("-")
    if !isNegative { _ = attempt.take("+") }
    let digits = attempt.takeDigits(\.asciiDigit)
    guard !digits.isEmpty else { return nil }
    self = attempt
    let magnitude = digits.reduce(0) { min($0 * 10 + Int($1), 1_000_000) }
    return isNegative ? -magnitude : magnitude
  }

  /// Reads the whole text, except surrounding blanks, as one number.
  mutating func wholeDecimal(_ syntax: DecimalNumeral.Syntax) throws(TextRefusal) -> TextReading {
    guard !isBlank else { throw .empty }
    skip(while: \.isBlank)
    guard let numeral = takeDecimal(syntax) else { throw expected("a number") }
    guard isBlank else { throw expected("the end of the number") }
    return numeral.reading
  }
}
