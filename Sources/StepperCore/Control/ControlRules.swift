/// What a control is and how it behaves, with what follows from that: what an adjustment or a configuration replaces as a whole.
///
/// It never changes, so that copies of a control can share it.
final class ControlRules: Sendable {
  /// As configured, and then as adjusted.
  let settings: ControlSettings
  /// That of the settings, and their range: what every movement looks at.
  let feel: Feel
  let range: ValueRange
  /// Whether a step past one end can lead to the other.
  let wraps: Bool

  init(_ settings: ControlSettings) {
    self.settings = settings.onGrid
    feel = settings.feel
    range = ValueRange(self.settings)
    wraps = feel.wraps && range.span != nil
  }
}

extension ControlRules: Hashable {
  static func == (left: ControlRules, right: ControlRules) -> Bool {
    left === right || left.settings == right.settings
  }

  func hash(into hasher: inout Hasher) { hasher.combine(settings) }
}
