import StepperInterfaces
import Testing
import Varlink

@testable import StepperClient

@Suite struct `What is written can be read` {
  static let formats: [ControlInterface.NumberFormat] = [false, true].flatMap { grouping in
    [
      .init(style: .decimal, grouping: grouping), .init(style: .percent, grouping: grouping),
      .init(style: .currency, currency: "EUR", grouping: grouping),
      .init(style: .currency, currency: "USD", grouping: grouping),
      .init(style: .currency, currency: "DKK", grouping: grouping),
    ]
  }

  @Test(arguments: NumberLocale.examples, formats)
  func `for any decimal`(locale: NumberLocale, format: ControlInterface.NumberFormat) throws {
    var random = Dice(state: 20_261_121)
    for unit in [nil, "%", "dB", "1/min", "€", ","] {
      let formatter = `Values for people`.formatter(format, locale, unit: unit)
      for _ in 0..<100 {
        let decimal = random.decimal()
        let written = formatter.format(text: decimal)
        let read = try formatter.parse(written)
        #expect(
          PlainDecimal(read)?.value == PlainDecimal(decimal)?.value, "\(decimal) as \(written) became \(read)"
        )
        #expect(try formatter.parse(written.replacing(" ", with: "\u{202f}")) == read)
      }
    }
  }

  @Test(arguments: NumberLocale.examples, 1...6)
  func `and stays the same once it is rounded`(locale: NumberLocale, digits: Int) throws {
    var random = Dice(state: 4711)
    for style in [ControlInterface.NumberStyle.decimal, .percent, .currency] {
      let formatter = `Values for people`.formatter(
        .init(style: style, currency: "EUR", significantDigits: Int64(digits), grouping: true), locale)
      for _ in 0..<100 {
        let written = formatter.format(text: random.decimal())
        #expect(formatter.format(text: try formatter.parse(written)) == written)
      }
    }
  }
}

/// The same numbers in every run.
private struct Dice {
  var state: UInt64

  mutating func below(_ limit: UInt64) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % limit)
  }

  /// Up to 24 digits before and 8 after the point.
  mutating func decimal() -> String {
    let whole = (0..<below(25)).map { _ in "\(below(10))" }.joined()
    let fraction = (0..<below(9)).map { _ in "\(below(10))" }.joined()
    let stripped = whole.drop { $0 == "0" }
    return (below(2) == 0 ? "-" : "") + (stripped.isEmpty ? "0" : stripped)
      + (fraction.isEmpty ? "" : "." + fraction)
  }
}
