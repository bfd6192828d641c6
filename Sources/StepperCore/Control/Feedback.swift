/// An event of a control for which feedback can be given. The raw values are the words of the configuration.
package enum Moment: String, CaseIterable, Hashable, Sendable {
  /// The value went up.
  case increment
  case decrement
  /// A step or a detent left the value unchanged, because it is at an end of the range.
  case limit
  /// The value reached its lower end.
  case minimum
  case maximum
  /// A step went past one end to the other.
  case wrap
  /// A button went down.
  case press
  case release
  /// The knob's button was pressed once, without a turn and not for long.
  case shortPress = "short-press"
  /// The knob's button was pressed twice within the multi-press interval.
  case doublePress = "double-press"
  case triplePress = "triple-press"
  /// The knob's button has been down for the long-press delay.
  case longPress = "long-press"
  /// The value went back to the initial value.
  case reset
  /// A client set the value.
  case set
  /// The first device that drives the control was connected.
  case connect
  /// The last device that drives the control was removed.
  case disconnect
  /// A gesture ended: a button was released, or a knob has come to rest.
  case end
  /// No input of the control was touched for its ``Feel/resetAfter``, and its value is the initial value again.
  case idle
}

/// The feedback for a moment of a control.
package struct Feedback: Hashable, Sendable {
  package var control: ControlID
  package var moment: Moment
  /// The device that caused the moment; nil: a client, or time alone.
  package var device: DeviceNumber?
  /// The hold of a client that caused the moment; nil: no hold did.
  package var hold: HoldNumber?
  /// The effect of the binding, which replaces the effect in the control's rules.
  package var effect: FeedbackEffect?
  package var time: Instant
}

/// The effect of a moment, in the words of UIKit's feedback generators.
package enum FeedbackEffect: String, CaseIterable, Hashable, Sendable {
  case none
  // UIImpactFeedbackGenerator
  case light, medium, heavy, soft, rigid
  /// UISelectionFeedbackGenerator.
  case selection
  // UINotificationFeedbackGenerator
  case success, warning, error
}
