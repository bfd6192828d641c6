/// How an entered text becomes a value, with the rules of known widgets.
///
/// These rules determine the meaning of a text. The range of the control determines whether the value is valid;
/// ``UpdatePolicy`` specifies the treatment of a value outside it.
package struct TextRules: Hashable, Sendable {
  package var updatePolicy = UpdatePolicy.strict
  package var expressions = ExpressionGrammar.none
  package var divisionByZero = DivisionByZero.unset
  /// Only digits, one sign in front and at most as many decimals as the control shows: GtkSpinButton's
  /// `numeric`.
  package var isNumeric = false
  /// Whether a blank text means "unset": NumberBox's NaN.
  package var canBeUnset = false

  /// Maximum length of a text; a longer one is refused without reading it.
  package static let maximumLength = 1024

  package init() {}
}

/// How a text is read, and what happens to a value outside the range.
package enum UpdatePolicy: String, CaseIterable, Hashable, Sendable {
  /// A decimal number; blanks around it are ignored. Unreadable texts and values outside the range are refused.
  case strict
  /// GTK_UPDATE_ALWAYS: reads the longest valid beginning, or 0 if there is none; values outside the range are
  /// clamped.
  case always
  /// GTK_UPDATE_IF_VALID: unreadable texts and values outside the range are refused.
  case ifValid = "if-valid"
  /// NumberBox's InvalidInputOverwritten: unreadable texts are refused; values outside the range are clamped.
  case overwrite
}

/// Whether a text may be an expression, and by whose rules. With a grammar, only the grammar determines how the text
/// is read, whatever the policy.
package enum ExpressionGrammar: String, CaseIterable, Hashable, Sendable {
  /// Numbers only.
  case none
  /// NumberBoxParser.cpp to the letter.
  case numberbox
  /// The usual rules of mathematics.
  case conventional
}

/// The result of a division by zero and of other undefined operations, such as a root of −8 written as a power.
package enum DivisionByZero: String, CaseIterable, Hashable, Sendable {
  /// As in NumberBox, whose NaN clears the value; the text is refused if the control cannot be unset.
  case unset
  case refuse
}
