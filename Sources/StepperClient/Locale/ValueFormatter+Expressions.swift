import StepperInterfaces

extension ValueFormatter {
  /// `text` in the C locale, if the control accepts expressions and the text consists of numbers and operators; nil
  /// otherwise, and for a single number.
  ///
  /// It is not validated further: the daemon has the grammar of the control. An expression for percentages gives a
  /// percentage, so the per cent sign applies to the whole expression.
  func expression(in text: Substring) -> String? {
    guard description.expressions == true else { return nil }
    let rest = withoutUnit(text)
    let isPercent = description.format.style == .percent
    guard let (parts, count) = parts(of: isPercent ? withoutSymbol(rest) : rest), count > 1 else {
      return nil
    }
    let expression = parts.joined()
    return isPercent ? "(\(expression))/100" : expression
  }

  /// Numbers and operators in turn, and how many numbers there are.
  private func parts(of text: Substring) -> (parts: [String], numbers: Int)? {
    var parts: [String] = []
    var count = 0
    var rest = text
    while let character = rest.first {
      if Self.operators.contains(character) {
        parts.append(String(character))
        rest.removeFirst()
        continue
      }
      let operand = Self.trimmed(rest.prefix { !Self.operators.contains($0) })
      rest = rest.drop { !Self.operators.contains($0) }
      guard !operand.isEmpty else { continue }
      guard let number = operandNumber(operand) else { return nil }
      parts.append(number)
      count += 1
    }
    return (parts, count)
  }

  /// Each amount may have a currency.
  private func operandNumber(_ text: Substring) -> String? {
    let bare = description.format.style == .currency ? withoutSymbol(text) : text
    return digits(in: bare, isNegative: false)?.text
  }

  private static let operators = Set<Character>("+-*/^()")
}
