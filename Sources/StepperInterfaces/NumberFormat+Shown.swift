extension ControlInterface.NumberFormat {
  /// A decimal number without grouping.
  public init() { self.init(style: .decimal, grouping: false) }

  /// What people are shown of a state's text: in percent, and rounded to the significant digits; nil if it is no
  /// number.
  package func shown(_ text: String) -> PlainDecimal? {
    guard var number = PlainDecimal(text) else { return nil }
    if style == .percent { number.movePoint(right: 2) }
    if let significantDigits { number.round(toSignificantDigits: Int(clamping: significantDigits)) }
    return number
  }
}
