/// What a control is and how it feels. Names are UIStepper's and GtkAdjustment's.
///
/// The defaults are UIStepper's: 0…100 by 1, no wrap, autorepeat, continuous.
package struct ControlSettings: Hashable, Sendable {
  /// `[a-z0-9._-]+`, at most 64 bytes.
  package var name: String
  /// nil: unbounded on that side.
  package var minimumValue: FixedPoint? = 0
  package var maximumValue: FixedPoint? = 100
  /// Positive.
  package var stepValue: FixedPoint = 1
  /// Positive. GTK's default is ten steps.
  package var pageIncrement: FixedPoint = 10
  package var initialValue: FixedPoint = 0
  /// Decimal places of the value, 0…9. The precision of every other number here is at most this.
  package var digits = 0
  /// Whether a step that would pass one end goes to the other.
  package var wraps = false
  /// Whether holding a button repeats.
  package var autorepeat = true
  /// Whether every change is published, or one when the gesture ends.
  package var isContinuous = true
  /// Whether devices drive it. Clients may set it all the same.
  package var isEnabled = true
  package var repeatSchedule = RepeatSchedule.uikit
  package var bindings: [Binding] = []

  package init(name: String) { self.name = name }

  /// The least number of decimal places that shows all of `numbers` exactly.
  package static func digits(showing numbers: [FixedPoint?]) -> Int {
    numbers.compactMap { $0?.normalized.digits }.max() ?? 0
  }
}
