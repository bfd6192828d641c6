/// How the events of a `[device.NAME]` become detents.
package struct DeviceSettings: Hashable, Sendable {
  /// The table's name: `[a-z0-9_-]+`.
  package var name: String
  /// Whether clockwise counts down.
  package var isInverted = false
  /// Counts of a relative axis that make one detent; 1 or more. High-resolution wheels (v120) are counted
  /// in 1/120 of a notch first and need no change here.
  package var countsPerDetent = 1
  /// nil: a detent is always one step.
  package var acceleration: AccelerationCurve?

  package init(name: String) { self.name = name }
}
