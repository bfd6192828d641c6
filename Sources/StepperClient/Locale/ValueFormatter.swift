public import StepperInterfaces

/// Formats the values of a control for people, according to its description and a locale, and parses what it
/// formats.
///
/// ```swift
/// let formatter = ValueFormatter(control.description)          // in de_DE, a price in EUR
/// formatter.format(control.state)                              // "1.234,50 €"
/// try client.set("price", to: formatter.parse("1.250,00 €"))   // sends "1250.00"
/// ```
/// It works on the exact decimal of the state's text, of any length. Names of choices, `on` and `off` are
/// unchanged.
public struct ValueFormatter: Sendable {
  /// The description of the control; `kind`, `format`, `unit`, `digits`, `expressions` and the range are used.
  public let description: ControlInterface.Description
  /// The locale whose marks are used.
  public let locale: NumberLocale

  /// A formatter for the control of `description`. The locale defaults to that of the environment.
  public init(_ description: ControlInterface.Description, locale: NumberLocale = .current) {
    self.description = description
    self.locale = locale
  }

  /// The value of `state` with the locale's marks and its unit: `1.234,5 dB`, `13 %`, `-$5.00`; nil while the control
  /// is unset.
  ///
  /// With `significantDigits` in the format, the value is rounded to that many digits, a half to the even digit, and
  /// zeros at the end of the fraction are left out.
  public func format(_ state: ControlInterface.State) -> String? { state.text.map(format(text:)) }

  /// Formats the text of a state: a decimal in the C locale, for example `1234.50`. Other texts are returned
  /// unchanged.
  public func format(text: String) -> String {
    guard isNumber, let number = description.format.shown(text) else { return text }
    let whole = description.format.grouping ? marks.grouped(number.whole) : number.whole
    let digits = number.fraction.isEmpty ? whole : "\(whole)\(marks.decimal)\(number.fraction)"
    return (number.isNegative ? "-" : "") + withSymbol(digits) + (unit.map { " \($0)" } ?? "")
  }

  /// A letter never touches a digit, even if the locale has no space beside its symbol: `$5`, but `USD 5`.
  private func withSymbol(_ digits: String) -> String {
    guard let symbol else { return digits }
    let precedes = symbol.placement.precedes
    let neighbour = precedes ? symbol.text.last : symbol.text.first
    let space = symbol.placement.isSpaced || neighbour?.isLetter == true ? " " : ""
    return precedes ? symbol.text + space + digits : digits + space + symbol.text
  }

  /// Whether the values of the control are decimals. Kinds that only a newer daemon knows are read as `continuous`.
  var isNumber: Bool { description.kind == .continuous }

  var marks: NumberMarks { description.format.style == .currency ? locale.money : locale.plain }

  /// The symbol beside the number, according to the style.
  var symbol: (text: String, placement: CurrencyMarks.Placement)? {
    switch description.format.style {
    case .percent: ("%", .init(precedes: false, isSpaced: locale.spacesPercent))
    case .currency: description.format.currency.map { locale.currency.symbol(of: $0) }
    default: nil
    }
  }

  /// The unit, unless the style already writes it as its symbol.
  var unit: String? {
    guard let unit = description.unit, !unit.isEmpty else { return nil }
    return unit == symbol?.text || unit == description.format.currency ? nil : unit
  }
}
