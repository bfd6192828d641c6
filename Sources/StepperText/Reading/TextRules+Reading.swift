package import StepperCore

extension TextRules {
  /// The meaning of `text`, which is untrusted.
  ///
  /// `digits` are the decimal places the control shows, which matter only if ``isNumeric``.
  package func read(_ text: String, digits: Int) -> TextReading {
    do throws(TextRefusal) {
      guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
      var scanner = TextScanner(text)
      if isNumeric { try scanner.checkNumeric(digits: digits) }
      if canBeUnset, scanner.isBlank { return .unset }
      guard expressions == .none else { return try computed(&scanner) }
      switch updatePolicy {
      case .strict: return try scanner.wholeDecimal(.scientific)
      case .overwrite: return try scanner.wholeDecimal(.numberBox)
      case .ifValid: return try scanner.spinButtonNumber()
      case .always: return scanner.spinButtonPrefix()
      }
    } catch {
      return .refused(error)
    }
  }

  /// A lone number is read as an exact decimal; expressions are computed with `Double`, as in NumberBox.
  private func computed(_ scanner: inout TextScanner) throws(TextRefusal) -> TextReading {
    let expression = try Expression(&scanner, grammar: expressions)
    if let number = expression.loneNumber { return number.reading }
    let result = expression.value
    guard result.isNaN else { return TextReading(result) }
    guard divisionByZero == .unset, canBeUnset else { throw .noResult }
    return .unset
  }
}
