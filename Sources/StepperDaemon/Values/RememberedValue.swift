package import StepperCore

/// A value as it is remembered: so that it means the same when the list of choices has grown or has another order.
package nonisolated enum RememberedValue: Hashable, Sendable {
  case unset
  case number(FixedPoint)
  /// The name of a choice, `on` or `off`.
  case word(String)
  /// As version 1 wrote it: a decimal, which for a choice is its place in the list; empty where it is unset.
  case former(String)

  init(_ value: FixedPoint?, of settings: ControlSettings) {
    guard let value else {
      self = .unset
      return
    }
    let words = settings.words
    let index = Int(clamping: value.rescaled(to: 0).units)
    self = words.indices.contains(index) ? .word(words[index]) : .number(value)
  }

  /// What a control with `settings` makes of it: a number, or nil for unset. Nothing at all if it is no value of such a
  /// control: a choice whose name is not in the list, or a name where numbers are wanted.
  func value(for settings: ControlSettings) -> FixedPoint?? {
    let words = settings.words
    switch self {
    case .unset: return .some(nil)
    case .number(let number): return words.isEmpty ? .some(number) : nil
    case .word(let word):
      return words.firstIndex(of: word).map { .some(FixedPoint(units: Int64($0), digits: 0)) }
    case .former(let text):
      if text.isEmpty { return .some(nil) }
      guard let number = FixedPoint(text) else { return nil }
      guard !words.isEmpty else { return .some(number) }
      return words.indices.contains(Int(clamping: number.rescaled(to: 0).units)) ? .some(number) : nil
    }
  }
}
