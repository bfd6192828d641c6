import StepperCore

/// An output of kind `position`: a motor that moves an absolute axis of a device. This value decides when it may.
///
/// The motor follows the control that the axis drives, and never works against a hand: it waits while the axis is
/// touched, and until the axis has rested. This is a value without a clock: the caller passes the time.
struct Motor: Hashable {
  let output: String
  let usage: EvdevUsage
  /// The name of the axis, as its program calls it.
  let axis: String
  /// The key that is down while a hand is on the axis; nil: the device cannot tell.
  let touch: EvdevUsage?
  /// The position that was last ordered, in counts.
  private(set) var ordered: Int32?
  /// When a hand last moved the axis.
  private(set) var moved: Instant?
  /// Whether a hand has moved the axis since the last decision.
  private var hasMoved = false
  /// The target of the last decision.
  private var target: Int32?
  /// The target that needs no order, because it was ordered or a hand on the axis has caused it; nil: the position of
  /// the axis is unknown.
  private var settled: Int32?

  /// Whether the last order still holds: no hand has moved the axis elsewhere since.
  var isAsOrdered: Bool { ordered != nil && ordered == settled }

  init(output: String, usage: EvdevUsage, axis: String, touch: EvdevUsage?) {
    (self.output, self.usage, self.axis, self.touch) = (output, usage, axis, touch)
  }

  /// How long an axis must have rested before it is moved.
  static let rest = Duration.milliseconds(300)

  /// Notes that a hand moved the axis at `time`.
  mutating func noteMotion(at time: Instant) { (moved, hasMoved) = (time, true) }

  /// Notes that the position of the axis is unknown: the device was matched, or its program has lost something.
  mutating func forget() { (target, settled) = (nil, nil) }

  enum Decision: Hashable {
    case nothing
    /// Go to ``ordered``.
    case order
    /// Decide again at this time; nil: when the device reports something.
    case wait(Instant?)
  }

  /// What to do if the axis should report `target`; nil: it drives no control. `isForeign`: something other than the
  /// device has changed the control since the axis was moved.
  mutating func decide(_ target: Int32?, isForeign: Bool, isTouched: Bool, at now: Instant) -> Decision {
    guard let target else {
      forget()
      return .nothing
    }
    if hasMoved, !isForeign, target != self.target { settled = target }
    (self.target, hasMoved) = (target, false)
    guard target != settled else { return .nothing }
    if isTouched { return .wait(nil) }
    if let moved, now < moved + Self.rest { return .wait(moved + Self.rest) }
    (settled, ordered) = (target, target)
    return .order
  }
}
