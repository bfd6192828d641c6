import StepperInterfaces

extension ValueFormatter {
  /// Parses `text` in this locale and returns the text for `set` of StepperClient: a decimal in the C locale, the
  /// name of a choice, `on` or `off`, or an empty string for unset.
  ///
  /// It reads everything that ``format(_:)`` writes, also without the unit, the symbol or the grouping marks, and
  /// with the currency's code in place of its symbol. It also reads digits of every script, any minus, plus or per
  /// cent sign, before or after the number, spaces and apostrophes of any form, `7.` for 7, and `(5.00)` for −5.00 of
  /// money. Grouping marks are accepted only at their places, and only for a control that groups. A percentage needs
  /// no sign: `13` is 13 %.
  ///
  /// For a control that accepts expressions, `3 * 1,20 €` becomes `3*1.20` in the C locale. Throws `unreadableValue`
  /// with an example of what is expected.
  public func parse(_ text: String) throws(FormattingError) -> String {
    guard isNumber else { return text }
    let plain = Self.even(text)
    let trimmed = Self.trimmed(plain[...])
    guard !trimmed.isEmpty else { return "" }
    guard var number = number(in: trimmed) else {
      if let expression = expression(in: trimmed) { return expression }
      let reason = "expected a number such as \"\(example)\""
      throw FormattingError(
        .unreadableValue, "'\(text)' is not a value of \(description.control): \(reason)")
    }
    if description.format.style == .percent { number.movePoint(right: -2) }
    return number.text
  }

  /// Parentheses around money and a sign after a number are an accountant's minus; where expressions are allowed,
  /// they are parts of the expression.
  private func number(in text: Substring) -> PlainDecimal? {
    let mayFollow = description.expressions != true
    let isAccounting =
      mayFollow && description.format.style == .currency && text.first == "(" && text.last == ")"
    var rest = withoutUnit(isAccounting ? Self.trimmed(text.dropFirst().dropLast()) : text)
    var sign = Self.takeSign(&rest, mayFollow: mayFollow)
    rest = withoutSymbol(rest)
    sign = sign ?? Self.takeSign(&rest, mayFollow: mayFollow)
    guard !isAccounting || sign == nil else { return nil }
    return digits(in: rest, isNegative: isAccounting || sign == "-")
  }

  /// A number without sign and symbol. The Arabic marks mean the same in every language.
  func digits(in text: Substring, isNegative: Bool) -> PlainDecimal? {
    let arabic: [Character: Character] = ["٫": marks.decimal, "٬": marks.group ?? "٬"]
    let rest = String(text.map { arabic[$0] ?? $0 })
    let parts = rest.split(separator: marks.decimal, maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first else { return nil }
    guard let whole = description.format.grouping ? marks.ungrouped(first) : String(first) else { return nil }
    return PlainDecimal(isNegative: isNegative, whole: whole, fraction: parts.count > 1 ? parts[1] : "")
  }

  /// `text` without the unit. A unit that begins with a digit or a mark requires a space before it.
  func withoutUnit(_ text: Substring) -> Substring {
    // Spaces at both ends of the unit are ignored, as in the entered text.
    guard let unit = unit.map({ Self.trimmed(Self.even($0)[...]) }), !unit.isEmpty, text.hasSuffix(unit)
    else {
      return text
    }
    let rest = text.dropLast(unit.count)
    let isAmbiguous = unit.first.map { $0.isNumber || $0 == marks.decimal || $0 == marks.group } ?? true
    return isAmbiguous && rest.last?.isWhitespace != true ? text : Self.trimmed(rest)
  }

  func withoutSymbol(_ text: Substring) -> Substring {
    let symbols = [symbol?.text, description.format.style == .currency ? description.format.currency : nil]
    for symbol in symbols.compactMap({ $0.map { Self.trimmed(Self.even($0)[...]).lowercased() } })
    where !symbol.isEmpty {
      if text.prefix(symbol.count).lowercased() == symbol {
        return Self.trimmed(text.dropFirst(symbol.count))
      }
      if text.suffix(symbol.count).lowercased() == symbol { return Self.trimmed(text.dropLast(symbol.count)) }
    }
    return text
  }

  private static func takeSign(_ text: inout Substring, mayFollow: Bool) -> Character? {
    if let sign = text.first, sign == "-" || sign == "+" {
      text = trimmed(text.dropFirst())
      return sign
    }
    guard mayFollow, text.count > 1, let sign = text.last, sign == "-" || sign == "+" else { return nil }
    text = trimmed(text.dropLast())
    return sign
  }

  static func trimmed(_ text: Substring) -> Substring {
    var rest = text.drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }

  /// An example value within the range, with as many decimal places as the control has.
  private var example: String {
    let candidates: [(value: Double, text: String)] = [(1234.5, "1234.5"), (12.5, "12.5"), (0.5, "0.5")]
    let minimum = description.minimum ?? -.infinity
    let maximum = description.maximum ?? .infinity
    let fitting = candidates.first { $0.value >= minimum && $0.value <= maximum } ?? (0, "0.0")
    let parts = fitting.text.split(separator: ".")
    let digits = description.digits ?? 1
    guard let whole = parts.first, let fraction = parts.last, digits > 0 else {
      return format(text: String(parts.first ?? "0"))
    }
    let zeros = String(repeating: "0", count: Int(min(digits, Self.mostDigits)) - 1)
    return format(text: "\(whole).\(fraction)" + zeros)
  }

  /// The maximum of decimal places, also for a description with more.
  private static let mostDigits: Int64 = 9
}
