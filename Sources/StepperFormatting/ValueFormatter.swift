public import StepperInterfaces

/// Writes the values of a control for people, as its description says and with the marks of a locale, and reads
/// what it writes.
///
/// ```swift
/// let formatter = ValueFormatter(control.description)          // in de_DE, a price in EUR
/// formatter.format(control.state)                              // "1.234,50 €"
/// try client.set("price", to: formatter.parse("1.250,00 €"))   // sends "1250.00"
/// ```
/// It works on the exact decimal that the state's text is, of any length. Names of choices, `on` and `off` stay as
/// they are.
public struct ValueFormatter: Sendable {
  /// What the values belong to: `kind`, `format`, `unit` and the range count here.
  public let description: ControlInterface.Description
  /// Whose marks are used.
  public let locale: NumberLocale

  /// For the control of `description`, in the locale of the environment unless told.
  public init(_ description: ControlInterface.Description, locale: NumberLocale = .current) {
    self.description = description
    self.locale = locale
  }

  /// The value of `state` with the locale's marks and its unit: `1.234,5 dB`, `13 %`, `-$5.00`; nil while it is
  /// unset.
  ///
  /// With `significantDigits` in the format it is rounded to as many, a half to the even digit, and zeros at the
  /// end of the fraction are left out.
  public func format(_ state: ControlInterface.State) -> String? { state.text.map(format(text:)) }

  /// As the text of a state: a decimal in the C locale, for example `1234.50`. Anything else stays as it is.
  public func format(text: String) -> String {
    guard isNumber, let number = description.format.shown(text) else { return text }
    let whole = description.format.grouping ? marks.grouped(number.whole) : number.whole
    let digits = number.fraction.isEmpty ? whole : "\(whole)\(marks.decimal)\(number.fraction)"
    return (number.isNegative ? "-" : "") + withSymbol(digits) + (unit.map { " \($0)" } ?? "")
  }

  /// Letters and digits never touch, whatever the locale says of its own sign: `$5`, but `USD 5`.
  private func withSymbol(_ digits: String) -> String {
    guard let symbol else { return digits }
    let precedes = symbol.placement.precedes
    let neighbour = precedes ? symbol.text.last : symbol.text.first
    let space = symbol.placement.isSpaced || neighbour?.isLetter == true ? " " : ""
    return precedes ? symbol.text + space + digits : digits + space + symbol.text
  }

  /// Whether its values are decimals: kinds of a newer daemon are taken for `continuous`.
  var isNumber: Bool { description.kind == .continuous }

  var marks: NumberMarks { description.format.style == .currency ? locale.money : locale.plain }

  /// What the style puts beside the number.
  var symbol: (text: String, placement: CurrencyMarks.Placement)? {
    switch description.format.style {
    case .percent: ("%", .init(precedes: false, isSpaced: locale.spacesPercent))
    case .currency: description.format.currency.map { locale.currency.symbol(of: $0) }
    default: nil
    }
  }

  /// The unit, unless the style writes the same anyway.
  var unit: String? {
    guard let unit = description.unit, !unit.isEmpty else { return nil }
    return unit == symbol?.text || unit == description.format.currency ? nil : unit
  }
}
