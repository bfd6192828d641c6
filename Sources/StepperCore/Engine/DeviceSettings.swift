/// How the events of a `[device.NAME]` are read.
package struct DeviceSettings: Hashable, Sendable {
  /// The table's name: `[a-z0-9_-]+`.
  package var name: String
  /// Whether turning clockwise counts down.
  package var isInverted = false
  /// Counts of a relative axis that make one detent; 1 or more. High-resolution wheels (v120) are converted from
  /// 1/120 of a notch first and need no change here.
  package var countsPerDetent = 1
  /// nil: a detent is always one step.
  package var acceleration: AccelerationCurve?

  /// By code; an absolute axis without an entry has the travel that the kernel reports.
  package var axes: [UInt16: AxisSettings] = [:]

  package init(name: String) { self.name = name }

  /// The counts that a detent may have, by a device or by its table.
  package static let countsOfDetent: ClosedRange<Int64> = 1...100_000
}

/// How the positions of an absolute axis are read, in its own counts.
package struct AxisSettings: Hashable, Sendable {
  /// The positions that count as the ends of the axis; nil: the ends that the kernel reports.
  package var travel: ClosedRange<Int32>?
  /// Whether the ends of the axis are swapped.
  package var isInverted = false
  /// A position this close to the middle counts as the middle: joysticks do not return to it exactly.
  package var deadZone: Int32 = 0
  /// A movement of fewer counts than this is noise, unless it reaches an end.
  package var hysteresis: Int32 = 0

  package init() {}
}
