import StepperInterfaces
import TestSupport
import Testing
import Varlink

@testable import StepperClient

@Suite struct `Values for people` {
  typealias Format = ControlInterface.NumberFormat

  static func formatter(
    _ format: Format, _ locale: NumberLocale, unit: String? = nil, minimum: Double? = nil,
    maximum: Double? = nil,
    digits: Int64? = nil, kind: ControlInterface.Kind = .continuous, expressions: Bool? = nil
  ) -> ValueFormatter {
    ValueFormatter(
      .init(
        control: "x", kind: kind, profile: "gtk", unit: unit, minimum: minimum, maximum: maximum,
        digits: digits,
        format: format, wrap: false, writable: true, expressions: expressions), locale: locale)
  }

  static let plain = Format()
  static let grouped = Format(style: .decimal, grouping: true)
  static let percent = Format(style: .percent, grouping: false)
  static func money(_ code: String) -> Format { Format(style: .currency, currency: code, grouping: true) }

  @Test(arguments: [
    (grouped, NumberLocale.c, "1234567.50", "1234567.50"), (grouped, .german, "-1234567.50", "-1.234.567,50"),
    (grouped, .indian, "1234567", "12,34,567"), (grouped, .french, "12345.6", "12\u{202f}345,6"),
    (grouped, .odd, "123456789", "12345٬6789"), (grouped, .german, "123", "123"),
    (plain, .german, "1234.5", "1234,5"),
    (percent, .german, "0.13", "13 %"), (percent, .american, "0.13", "13%"), (percent, .swiss, "0.13", "13%"),
    (percent, .german, "-0.125", "-12,5 %"), (percent, .american, "1", "100%"), (percent, .c, "0.1", "10%"),
    (money("EUR"), .german, "1234.50", "1.234,50 €"), (money("EUR"), .american, "-5.00", "-EUR 5.00"),
    (money("USD"), .american, "-1234.00", "-$1,234.00"), (money("USD"), .german, "5", "5 USD"),
    (money("DKK"), .danish, "1234.50", "kr. 1.234,50"), (money("CHF"), .swiss, "1234", "CHF 1’234"),
    (money("EUR"), .c, "5.00", "EUR 5.00"), (money("INR"), .indian, "5", "₹5"),
    (money("SEK"), .touching, "5", "kr 5"), (money("EUR"), .touching, "5", "EUR 5"),
    (Format(style: .currency, grouping: false), .german, "5.0", "5,0"),
    (Format(style: .decimal, significantDigits: 3, grouping: false), .german, "1234.5", "1230"),
    (Format(style: .decimal, significantDigits: 3, grouping: false), .german, "5.000", "5"),
    (Format(style: .percent, significantDigits: 2, grouping: false), .german, "0.12500", "12 %"),
  ])
  func `are written with the marks of the locale`(
    format: Format, locale: NumberLocale, decimal: String, written: String
  ) throws {
    let formatter = Self.formatter(format, locale)
    #expect(formatter.format(text: decimal) == written)
    let read = try formatter.parse(written)
    #expect(formatter.format(text: read) == written)
    if format.significantDigits == nil { #expect(PlainDecimal(read)?.value == PlainDecimal(decimal)?.value) }
  }

  @Test func `have their unit, once`() throws {
    #expect(Self.formatter(Self.plain, .german, unit: "dB").format(text: "-1.5") == "-1,5 dB")
    #expect(Self.formatter(Self.percent, .german, unit: "%").format(text: "0.5") == "50 %")
    #expect(Self.formatter(Self.money("EUR"), .german, unit: "€").format(text: "5") == "5 €")
    let rate = Self.formatter(Self.money("EUR"), .german, unit: "/kWh")
    #expect(rate.format(text: "0.35") == "0,35 € /kWh")
    #expect(try rate.parse("0,35 € /kWh") == "0.35")
    for unit in ["%", "°C", "m2", "1/min", ".x", "dB"] {
      let formatter = Self.formatter(Self.plain, .german, unit: unit)
      for text in ["51,1 \(unit)", "51,1\u{a0}\(unit)", "51,1", " 51,1"] {
        #expect(try formatter.parse(text) == "51.1")
      }
    }
    #expect(try Self.formatter(Self.plain, .german, unit: "%").parse("42%") == "42")
    // A 5 with the unit, or 51 and nonsense: what is not clear is refused.
    #expect(throws: FormattingError.self) {
      try Self.formatter(Self.plain, .german, unit: "1/min").parse("51/min")
    }
  }

  @Test func `that are no numbers stay as they are`() throws {
    for kind in [ControlInterface.Kind.choice, .toggle, .button] {
      let formatter = Self.formatter(Self.grouped, .german, unit: "x", kind: kind)
      #expect(formatter.format(text: "1234.5") == "1234.5")
      #expect(try formatter.parse(" 1.234 ") == " 1.234 ")
    }
    let number = Self.formatter(Self.grouped, .german)
    #expect(number.format(text: "1e5") == "1e5")
    #expect(try number.parse("  ") == "")
    var state = ControlInterface.State.example("x", 1234.5)
    #expect(number.format(state) == "1.234,5")
    state.text = nil
    #expect(number.format(state) == nil)
  }

  @Test(arguments: [
    (money("EUR"), NumberLocale.german, "1.234,50", "1234.50"),
    (money("EUR"), .german, "1234,5 eur", "1234.5"),
    (money("EUR"), .german, "EUR 7", "7"), (money("EUR"), .german, "€-7", "-7"),
    (money("EUR"), .german, "\u{2212}7 €", "-7"),
    (money("USD"), .american, "$ -5", "-5"), (money("DKK"), .danish, "5 kr.", "5"),
    (grouped, .french, "1 234 567,5", "1234567.5"), (grouped, .french, "1\u{a0}234", "1234"),
    (grouped, .swiss, "1'234", "1234"), (percent, .german, "13", "0.13"),
    (percent, .german, "12,5%", "0.125"),
    (percent, .american, "%7", "0.07"), (plain, .german, "+5", "5"), (plain, .german, ",5", "0.5"),
    (plain, .german, "007", "7"), (plain, .german, "5,", "5"), (plain, .german, "5-", "-5"),
    (plain, .c, "５", "5"),
  ])
  func `are read as people write them`(format: Format, locale: NumberLocale, text: String, decimal: String)
    throws
  {
    #expect(try Self.formatter(format, locale).parse(text) == decimal)
  }

  @Test(arguments: [
    (grouped, NumberLocale.german, "1.5"), (grouped, .german, "1.23.456"), (grouped, .german, "0.123"),
    (grouped, .german, "1.234.5"), (plain, .german, "1.234"), (plain, .american, "1,5"),
    (plain, .german, "abc"),
    (plain, .german, "--5"), (plain, .german, "-5-"), (plain, .german, "1 2"), (plain, .german, ","),
    (plain, .german, "1,2,3"), (money("EUR"), .german, "5 $"), (grouped, .indian, "1,234,567"),
    (plain, .german, "(5)"), (money("EUR"), .german, "(-5)"), (money("EUR"), .german, "€"),
    (plain, .german, "-"),
  ])
  func `that are not clear are refused`(format: Format, locale: NumberLocale, text: String) {
    let formatter = Self.formatter(format, locale)
    #expect(formattingCode { _ = try formatter.parse(text) } == .unreadableValue)
  }

  @Test(arguments: [
    (money("EUR"), NumberLocale.german, "3*1,20", "3*1.20"),
    (money("EUR"), .german, "3 \u{d7} 1,20 €", "3*1.20"),
    (money("EUR"), .german, "1.234,50 € + 2 EUR", "1234.50+2"),
    (money("USD"), .american, "($1,234.50 - $5) / 2", "(1234.50-5)/2"),
    (grouped, .french, "7,45 ^ 2", "7.45^2"), (grouped, .french, "1 234 * 2", "1234*2"),
    (plain, .german, "\u{2212}3 \u{2212} -1,5", "-3--1.5"), (plain, .german, "1/0", "1/0"),
    (percent, .german, "2 * 12,5 %", "(2*12.5)/100"), (percent, .german, "5-3", "(5-3)/100"),
  ])
  func `may be computed`(format: Format, locale: NumberLocale, text: String, expression: String) throws {
    #expect(try Self.formatter(format, locale, expressions: true).parse(text) == expression)
    let plain = Self.formatter(format, locale)
    #expect(formattingCode { _ = try plain.parse(text) } == .unreadableValue)
  }

  @Test(arguments: [
    (plain, NumberLocale.german, "3*1.20"), (plain, .american, "3*1,20"), (grouped, .german, "1.23*2"),
    (plain, .german, "3*x"), (plain, .german, "3*"), (plain, .german, "2 3*4"), (plain, .german, "pow(2)"),
    (percent, .german, "50% + 10%"), (plain, .german, "3*1e5"), (money("EUR"), .german, "3 $ * 2"),
    (plain, .german, "(5)"),
  ])
  func `that cannot be computed are refused`(format: Format, locale: NumberLocale, text: String) {
    let formatter = Self.formatter(format, locale, expressions: true)
    #expect(formattingCode { _ = try formatter.parse(text) } == .unreadableValue)
  }

  @Test func `may be computed with their unit`() throws {
    #expect(
      try Self.formatter(Self.plain, .german, unit: "m/s", expressions: true).parse("3*1,5 m/s") == "3*1.5")
    #expect(throws: FormattingError.self) {
      try Self.formatter(Self.plain, .german, unit: "m/s", expressions: true).parse("3 m/s*1,5 m/s")
    }
  }

  @Test func `are asked for with an example of the locale and the range`() {
    func expected(_ formatter: ValueFormatter) -> String? {
      do {
        _ = try formatter.parse("abc")
        return nil
      } catch {
        return error.message
      }
    }
    func message(_ example: String) -> String {
      "'abc' is not a value of x: expected a number such as \"\(example)\""
    }
    #expect(expected(Self.formatter(Self.money("EUR"), .german, digits: 2)) == message("1.234,50 €"))
    #expect(
      expected(Self.formatter(Self.plain, .german, unit: "dB", maximum: 100, digits: 0)) == message("12 dB"))
    #expect(expected(Self.formatter(Self.percent, .american, minimum: 0, maximum: 1)) == message("50%"))
    #expect(expected(Self.formatter(Self.plain, .c, minimum: -6, maximum: 0)) == message("0.0"))
    // As no daemon of ours sends it.
    #expect(expected(Self.formatter(Self.plain, .c, digits: .max)) == message("1234.500000000"))
  }
}

extension PlainDecimal {
  /// The text without zeros at the end of the fraction, and without the sign of zero: equal for equal numbers.
  var value: String {
    var digits = fraction[...]
    while digits.last == "0" { digits.removeLast() }
    let number = digits.isEmpty ? whole : "\(whole).\(digits)"
    return isNegative && number != "0" ? "-" + number : number
  }
}

func formattingCode(_ body: () throws -> Void) -> FormattingError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? FormattingError)?.code
  }
}
