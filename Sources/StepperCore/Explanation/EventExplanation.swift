/// The effect of an event at one control that it is bound to.
package struct EventExplanation: Hashable, Sendable {
  package var usage: EvdevUsage
  package var control: ControlID
  package var outcome: Outcome
  /// The value before the frame; nil: unset.
  package var before: FixedPoint?
  /// The value after the frame; nil: unset.
  package var after: FixedPoint?
  /// The detents that the turn of a relative axis completes, clockwise positive; nil: it is no turn.
  package var detents: Int64?

  package enum Outcome: String, CaseIterable, Hashable, Sendable {
    /// It moves the value.
    case changed
    /// It has its effect, which is none on the value: a release, the press of a button whose action comes later, a
    /// push without an action.
    case noted
    /// It is less than a detent, or less than the noise of a fader.
    case partial
    /// The value stands at the end of its range.
    case limit
    /// The control is not enabled.
    case disabled
    /// The fader has not reached the value that another source has set.
    case pickup
    /// A held button gives the input another meaning, or a button that the binding needs is not held.
    case modifier
    /// The binding is live only while another control has another value.
    case layer
    /// Another button is held, and the rule for a second press ignores this one.
    case held
    /// The control has no value that could step.
    case unset
  }
}
