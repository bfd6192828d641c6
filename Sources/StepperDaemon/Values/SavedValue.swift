package import StepperCore

/// A saved value, in a form that is independent of the order of choices.
package nonisolated enum SavedValue: Hashable, Sendable {
  case unset
  case number(FixedPoint)
  /// The name of a choice, `on` or `off`.
  case word(String)

  init(_ value: FixedPoint?, of settings: ControlSettings) {
    guard let value else {
      self = .unset
      return
    }
    let words = settings.words
    let index = Int(clamping: value.rescaled(to: 0).units)
    self = words.indices.contains(index) ? .word(words[index]) : .number(value)
  }

  /// The value for a control with `settings`: a number, or an inner nil for unset. The outer nil means that the saved
  /// value is not valid for such a control: the name of a choice that is not in the list, or a name for a number.
  func value(for settings: ControlSettings) -> FixedPoint?? {
    let words = settings.words
    switch self {
    case .unset: return .some(nil)
    case .number(let number): return words.isEmpty ? .some(number) : nil
    case .word(let word):
      return words.firstIndex(of: word).map { .some(FixedPoint(units: Int64($0), digits: 0)) }
    }
  }
}
