/// What a control is and how it behaves, with what follows from that: what an adjustment or a configuration replaces as a whole.
///
/// It never changes, so that copies of a control can share it.
final class ControlRules: Sendable {
  /// As configured, and then as adjusted; with ``Feel/PartialStep/grid`` the maximum is the last tick.
  let settings: ControlSettings
  /// Without the grid: another step begins at the range as it is meant.
  let ungridded: ControlSettings
  /// That of the settings, and their range: what every movement looks at.
  let feel: Feel
  let range: ValueRange
  /// Whether a step past one end can lead to the other.
  let wraps: Bool

  init(_ settings: ControlSettings) {
    ungridded = settings
    self.settings = settings.onGrid
    feel = settings.feel
    range = ValueRange(self.settings)
    wraps = feel.wraps && range.span != nil
  }
}

extension ControlRules: Hashable {
  static func == (left: ControlRules, right: ControlRules) -> Bool {
    left === right || left.ungridded == right.ungridded
  }

  func hash(into hasher: inout Hasher) { hasher.combine(ungridded) }
}
