/// The effect of an event on one control that it is bound to.
package struct EventExplanation: Hashable, Sendable {
  package var usage: EvdevUsage
  package var control: ControlID
  package var outcome: Outcome
  /// The value before the frame; nil: unset.
  package var before: FixedPoint?
  /// The value after the frame; nil: unset.
  package var after: FixedPoint?
  /// The detents that the turn of a relative axis completes, clockwise positive; nil: the event is no turn.
  package var detents: Int64?

  package enum Outcome: String, CaseIterable, Hashable, Sendable {
    /// The event moves the value.
    case changed
    /// The event takes effect without changing the value: a release, the press of a button whose action comes later,
    /// a push without an action.
    case noted
    /// The movement is less than a detent, or within the noise of a fader.
    case partial
    /// The value is at the end of its range.
    case limit
    /// The control is not enabled.
    case disabled
    /// The fader has not reached the value that another source has set.
    case pickup
    /// A held button gives the input another meaning, or a button that the binding needs is not held.
    case modifier
    /// The binding is not live, because another control does not have the value that its layer requires.
    case layer
    /// Another button is held, and the rule for a second press ignores this one.
    case held
    /// The control has no value, so it cannot step.
    case unset
  }
}
