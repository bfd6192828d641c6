/// An event of a control that feedback can be given for. The raw values are the words of the configuration.
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
  /// The knob's button was pressed once, and neither turned nor held for long.
  case shortPress = "short-press"
  /// The knob's button was pressed twice within the time for that.
  case doublePress = "double-press"
  case triplePress = "triple-press"
  /// The knob's button has been down so long that it is a long press.
  case longPress = "long-press"
  /// The value went back to its initial one.
  case reset
  /// A client set the value.
  case set
  /// The first device that drives it was connected.
  case connect
  /// The last device that drives it was removed.
  case disconnect
  /// A gesture ended: a button was released, or a knob has come to rest.
  case end
  /// No input of the control was touched for its ``Feel/resetAfter``, and its value is the initial one again.
  case idle
}

/// Feedback that a moment of a control asks for.
package struct Feedback: Hashable, Sendable {
  package var control: ControlID
  package var moment: Moment
  /// The device that caused it; nil: a client, or time alone.
  package var device: DeviceNumber?
  /// What a client holds that caused it; nil: nothing of that kind.
  package var hold: HoldNumber?
  /// The binding's effect, which takes the place of the one in the control's rules.
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
