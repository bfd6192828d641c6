import StepperCore

/// An output of kind `detents`: a knob that makes the detents of the control that its axis drives. This value decides
/// when the knob is told of new detents.
///
/// While a hand turns the knob, the knob's own detents keep it in step with the control. The last order and the turns
/// since give its present position, which is compared with the control. The knob gets no order until it has rested.
/// This is a value without a clock: the caller passes the time.
struct DetentKnob: Hashable {
  let output: String
  let usage: EvdevUsage
  /// The name of the axis, as its program calls it.
  let axis: String
  /// The number of counts in one detent of the knob.
  let countsPerDetent: Int64
  /// The last order; nil: none since ``forget()``.
  private(set) var ordered: AxisDetents?
  /// The counts that the knob was turned by since the last order.
  private var counts: Int64 = 0
  private var moved: Instant?

  init(output: String, usage: EvdevUsage, axis: String, countsPerDetent: Int64) {
    (self.output, self.usage, self.axis) = (output, usage, axis)
    self.countsPerDetent = countsPerDetent
  }

  /// The last order, with the present position of the knob.
  var present: AxisDetents? { ordered?.turned(by: counts / countsPerDetent) }

  /// Notes that the knob was turned.
  mutating func noteMotion(by counts: Int32, at time: Instant) {
    self.counts = self.counts.addingSaturating(Int64(counts))
    moved = time
  }

  /// Notes that the detents of the knob are unknown: the device was matched, or its program has lost something.
  mutating func forget() { (ordered, counts) = (nil, 0) }

  /// What to do if the knob should make `target`; nil: its axis drives no control.
  mutating func decide(_ target: AxisDetents?, at now: Instant) -> Motor.Decision {
    guard let target, target != present else { return .nothing }
    if let moved, now < moved + Motor.rest { return .wait(moved + Motor.rest) }
    (ordered, counts) = (target, 0)
    return .order
  }
}
