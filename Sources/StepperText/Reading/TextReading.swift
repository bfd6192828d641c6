package import StepperCore

/// The meaning of a text.
package enum TextReading: Hashable, Sendable {
  case number(FixedPoint)
  /// Too large for any number (`1e400`, `inf`, `10^400`): beyond every value in that direction.
  case beyond(Direction)
  case unset
  /// Nothing changes: GTK's `nan`.
  case unchanged
  case refused(TextRefusal)
}

extension TextReading {
  /// `double` must be a number: not NaN.
  init(_ double: Double) {
    self = FixedPoint(nearest: double).map(Self.number) ?? .beyond(double < 0 ? .decrement : .increment)
  }
}

/// The reason why a text is refused, for the person who entered it.
package enum TextRefusal: Error, Hashable, Sendable {
  case empty
  /// Longer than ``TextRules/maximumLength``.
  case tooLong
  /// The character at this position, counted from 1, is not `what`; `found` is nil at the end.
  case expected(_ what: String, character: Int, found: Character?)
  /// More than ``Expression/maximumDepth`` parentheses are open at this character.
  case nestedTooDeeply(character: Int)
  /// The expression divides by zero, takes the root of a negative number, or subtracts an infinity from an infinity.
  case noResult
}

extension TextRefusal: CustomStringConvertible {
  /// The message: what was found, where, and what is allowed, as in `volume cannot be set: expected …`.
  package var description: String {
    switch self {
    case .empty: "expected a number, found nothing"
    case .tooLong: "the text is longer than \(TextRules.maximumLength) bytes"
    case .expected(let what, let character, let found?):
      "expected \(what) at character \(character), found \(String(found).debugDescription)"
    case .expected(let what, let character, nil):
      "expected \(what) at character \(character), found the end"
    case .nestedTooDeeply(let character):
      "more than \(Expression.maximumDepth) open parentheses at character \(character)"
    case .noResult: "the result is not a number, as that of a division by zero"
    }
  }
}
