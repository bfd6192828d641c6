import StepperCore

/// An output of kind detents: a knob that makes the detents of the control that its axis drives, and when it is told of others.
///
/// A hand that turns it is where it should be by its own detents; what it was told and has turned since is compared with the
/// control. It is told nothing until it has rested. A value without a clock.
struct DetentKnob: Hashable {
  let output: String
  let usage: EvdevUsage
  /// The name of the axis, as its program calls it.
  let axis: String
  /// Counts of one of its detents.
  let countsPerDetent: Int64
  /// What was ordered last; nil: nothing since ``forget()``.
  private(set) var ordered: AxisDetents?
  /// Counts that it was turned by since.
  private var counts: Int64 = 0
  private var moved: Instant?

  init(output: String, usage: EvdevUsage, axis: String, countsPerDetent: Int64) {
    (self.output, self.usage, self.axis) = (output, usage, axis)
    self.countsPerDetent = countsPerDetent
  }

  /// What was ordered last, from where the knob is now.
  var present: AxisDetents? { ordered?.turned(by: counts / countsPerDetent) }

  /// It was turned.
  mutating func noteMotion(by counts: Int32, at time: Instant) {
    self.counts = self.counts.addingSaturating(Int64(counts))
    moved = time
  }

  /// What it makes is unknown: the device was matched, or its program has lost something.
  mutating func forget() { (ordered, counts) = (nil, 0) }

  /// What to do now that it should make `target`; nil: its axis drives no control.
  mutating func decide(_ target: AxisDetents?, at now: Instant) -> Motor.Decision {
    guard let target, target != present else { return .nothing }
    if let moved, now < moved + Motor.rest { return .wait(moved + Motor.rest) }
    (ordered, counts) = (target, 0)
    return .order
  }
}
