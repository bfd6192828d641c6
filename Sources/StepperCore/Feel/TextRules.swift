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
  /// NumberBoxParser.cpp to the letter.
  case numberbox
  /// The usual mathematics.
  case conventional
}

/// What the result of a division by zero is, and of anything else that has no number, such as the root
/// of −8 written as a power.
package enum DivisionByZero: String, CaseIterable, Hashable, Sendable {
  /// As in NumberBox, whose NaN clears the value; refused if the control cannot be unset.
  case unset
  case refuse
}
