/// How a text that somebody enters becomes a value, as the widgets do it that people know.
///
/// These rules say what a text means. Whether that value may stand is for the control's range:
/// ``UpdatePolicy`` says what is to happen outside it.
package struct TextRules: Hashable, Sendable {
  package var updatePolicy = UpdatePolicy.strict
  package var expressions = ExpressionGrammar.none
  package var divisionByZero = DivisionByZero.unset
  /// Only digits, one sign in front and at most as many decimals as the control shows: GtkSpinButton's
  /// `numeric`.
  package var isNumeric = false
  /// Whether a text of nothing but blanks means "unset": NumberBox's NaN.
  package var canBeUnset = false

  /// No text of a value is longer; what is, is refused unread.
  package static let maximumLength = 1024

  package init() {}
}

/// What is read of a text, and what happens to a value outside the range.
package enum UpdatePolicy: String, CaseIterable, Hashable, Sendable {
  /// A decimal number, blanks around it do not count. What is unreadable or out of range is refused.
  case strict
  /// GTK_UPDATE_ALWAYS: the beginning that can be read counts, and 0 if there is none; out of range is
  /// clamped.
  case always
  /// GTK_UPDATE_IF_VALID: what is unreadable or out of range is refused.
  case ifValid = "if-valid"
  /// NumberBox's InvalidInputOverwritten: what is unreadable is refused; out of range is clamped.
  case overwrite
}

/// Whether a text may be computed, and by whose rules. With a grammar the text is read by it alone,
/// whatever the policy.
package enum ExpressionGrammar: String, CaseIterable, Hashable, Sendable {
  /// Numbers only.
  case none
  /// NumberBoxParser.cpp to the letter: see ``Expression``.
  case numberbox
  /// The usual mathematics: see ``Expression``.
  case conventional
}

/// What the result of a division by zero is, and of anything else that has no number, such as the root
/// of −8 written as a power.
package enum DivisionByZero: String, CaseIterable, Hashable, Sendable {
  /// As in NumberBox, whose NaN clears the value; refused if the control cannot be unset.
  case unset
  case refuse
}

extension TextRules {
  /// What `text` says; it may be of any origin, nothing in it can do harm.
  ///
  /// `digits` are the decimal places the control shows, which matter only if ``isNumeric``; `power` is C's
  /// `pow`, which this module cannot import.
  package func read(_ text: String, digits: Int, power: (Double, Double) -> Double) -> TextReading {
    do throws(TextRefusal) {
      guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
      var scanner = TextScanner(text)
      if isNumeric { try scanner.checkNumeric(digits: digits) }
      if canBeUnset, scanner.isBlank { return .unset }
      guard expressions == .none else { return try computed(&scanner, power: power) }
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

  /// A number alone stays the decimal it is; only what is computed goes through `Double`, as in NumberBox.
  private func computed(
    _ scanner: inout TextScanner, power: (Double, Double) -> Double
  ) throws(TextRefusal) -> TextReading {
    let expression = try Expression(&scanner, grammar: expressions)
    if let number = expression.loneNumber { return number.reading }
    let result = expression.value(power: power)
    guard result.isNaN else { return TextReading(result) }
    guard divisionByZero == .unset, canBeUnset else { throw .noResult }
    return .unset
  }
}
