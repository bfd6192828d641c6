/// The settings of a control with the values derived from them, which an adjustment or a configuration replaces as a
/// whole.
///
/// It never changes, so that copies of a control can share it.
final class ControlRules: Sendable {
  /// The settings as configured, and then as adjusted; with ``Feel/PartialStep/grid`` the maximum is the last tick.
  let settings: ControlSettings
  /// The settings without the grid's maximum: an adjustment of the step starts from the configured range.
  let ungridded: ControlSettings
  /// The feel of the settings, and their range: every movement uses these.
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
