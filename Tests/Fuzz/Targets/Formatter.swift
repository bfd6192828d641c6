import StepperInterfaces
import Varlink
@testable import StepperClient

extension FuzzTarget {
  /// A description as any daemon may send it, a value's text, and what a person enters.
  ///
  /// The header says in which locale and with which numbers; after it stand unit, currency and the text of a
  /// value, each up to a NUL, and then what is entered.
  static let formatter = FuzzTarget("formatter", upTo: 512, within: .milliseconds(200)) { input in
    var source = ByteSource(input)
    guard let locale = source.element(of: locales) else { return }
    let style: ControlInterface.NumberStyle = [.decimal, .percent, .currency][source.index(below: 3)]
    let flags = source.byte()
    let (digits, significant) = (source.integer(), source.integer())
    let (minimum, maximum) = (source.integer(), source.integer())
    let (unit, currency) = (source.text(), source.text())
    let (value, entry) = (source.text(), source.remainingText())
    let description = ControlInterface.Description(
      control: "c", kind: flags & 1 == 0 ? .continuous : .choice, profile: "uikit",
      unit: flags & 2 == 0 ? nil : unit, minimum: flags & 4 == 0 ? nil : Double(minimum),
      maximum: flags & 8 == 0 ? nil : Double(maximum), digits: flags & 16 == 0 ? nil : digits,
      format: .init(
        style: style, currency: flags & 32 == 0 ? nil : currency,
        significantDigits: flags & 64 == 0 ? nil : significant, grouping: flags & 128 != 0),
      wrap: false, writable: true, expressions: flags & 3 == 3)
    let formatter = ValueFormatter(description, locale: locale)
    let shown = formatter.format(text: value)
    do throws(FormattingError) {
      _ = try formatter.parse(entry)
    } catch {
      try require(error.code == .unreadableValue, "what is entered is refused with \(error)")
    }
    // Units and currencies that look like numbers can be anything; the configuration has better ones.
    guard !hasMarks(unit), !hasMarks(currency), description.kind == .continuous,
      let number = description.format.shown(value)
    else { return }
    try checkReading(shown, number, description, formatter)
  }

  /// "Everything that `format` writes can be read".
  private static func checkReading(
    _ shown: String, _ number: PlainDecimal, _ description: ControlInterface.Description,
    _ formatter: ValueFormatter
  ) throws {
    var expected = number
    if description.format.style == .percent { expected.movePoint(right: -2) }
    let text: String
    do throws(FormattingError) {
      text = try formatter.parse(shown)
    } catch {
      throw Finding("\(shown.debugDescription) cannot be read: \(error)")
    }
    try require(text == expected.text, "\(shown.debugDescription) is read as \(text)")
  }

  private static func hasMarks(_ text: String) -> Bool {
    text.contains { !$0.isASCII || !($0.isLetter || $0 == " ") }
  }

  private static let locales = [
    NumberLocale.c, locale("de_DE.UTF-8", ",", "."), locale("fr_FR.UTF-8", ",", "\u{202f}"),
    locale("en_IN.UTF-8", ".", ",", sizes: [3, 2]), locale("de_CH.UTF-8", ".", "\u{2019}"),
    locale("xx_XX", "٫", "٬", sizes: [4], lastSizeRepeats: false),
  ]

  private static func locale(
    _ name: String, _ decimal: Character, _ group: Character, sizes: [Int] = [3], lastSizeRepeats: Bool = true
  ) -> NumberLocale {
    let marks = NumberMarks(
      decimal: decimal, group: group, groupSizes: sizes, lastSizeRepeats: lastSizeRepeats)
    return NumberLocale(name: name, plain: marks, money: marks, currency: CurrencyMarks())
  }
}
