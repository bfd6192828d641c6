import StepperCore

/// An output of kind position: what moves an absolute axis of a device, and when it may.
///
/// It follows the control that the axis drives, and never a hand: it waits while the axis is touched, and until it has
/// rested. A value without a clock.
struct Motor: Hashable {
  let output: String
  let usage: EvdevUsage
  /// The name of the axis, as its program calls it.
  let axis: String
  /// The key that is down while a hand is on the axis; nil: it cannot tell.
  let touch: EvdevUsage?
  /// What was ordered last, in counts.
  private(set) var ordered: Int32?
  /// When a hand moved the axis last.
  private(set) var moved: Instant?
  /// Whether that was after the last decision.
  private var hasMoved = false
  /// The target of the last decision.
  private var target: Int32?
  /// The target that needs no order: it was ordered, or a hand on the axis has caused it. nil: where the axis is, is unknown.
  private var settled: Int32?

  /// Whether what was ordered last still holds: a hand has moved the axis nowhere else since.
  var isAsOrdered: Bool { ordered != nil && ordered == settled }

  init(output: String, usage: EvdevUsage, axis: String, touch: EvdevUsage?) {
    (self.output, self.usage, self.axis, self.touch) = (output, usage, axis, touch)
  }

  /// How long an axis must have rested before it is moved.
  static let rest = Duration.milliseconds(300)

  /// The axis was moved at this time.
  mutating func noteMotion(at time: Instant) { (moved, hasMoved) = (time, true) }

  /// Where the axis is, is unknown: the device was matched, or its program has lost something.
  mutating func forget() { (target, settled) = (nil, nil) }

  enum Decision: Hashable {
    case nothing
    /// Go to ``ordered``.
    case order
    /// Decide again at this time; nil: when the device reports something.
    case wait(Instant?)
  }

  /// What to do now that the axis should report `target`; nil: it drives no control. `isForeign`: something else than the
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
