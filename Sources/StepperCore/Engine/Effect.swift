/// Something for the daemon to do after the engine has returned. Effects are performed in order.
package enum Effect: Hashable, Sendable {
  /// Publish the state to the subscribers of this control.
  case publish(ControlState)
  /// Answer the client with the reason why its request changed nothing.
  case refuse(ControlID, Refusal)
  /// Answer the client with how many of its steps moved the value.
  case applied(ControlID, steps: Int64)
  /// Notify the subscribers of this control that its range or its steps have changed.
  case adjusted(ControlID)
  /// Play the effect of a moment, and run its hooks.
  case feedback(Feedback)
  /// Run the idle hook of the whole board: no input was touched for ``EngineConfiguration/idleAfter``.
  case becameIdle
  /// Run the activity hook of the whole board: it was idle, and an input of this device was touched; nil: a client
  /// changed a value.
  case becameActive(DeviceNumber?)

  package enum Refusal: Hashable, Sendable {
    /// The range does not hold this value.
    case outOfRange(FixedPoint)
    /// The control has changed since the sequence number that the client named.
    case changed(sequence: Int64)
    /// The minimum would exceed the maximum, or a step would not be greater than 0.
    case invalidRange(Adjustment)
    /// The control cannot be unset.
    case unset
    /// The identifier belongs to a former configuration, or to none.
    case unknownControl
  }
}

/// The published state of a control. It consists of levels and counters, not of events.
package struct ControlState: Hashable, Sendable {
  package var control: ControlID
  /// nil: unset.
  package var value: FixedPoint?
  package var limit = Limit.none
  package var origin: Origin
  /// The device that set the value; nil if ``origin`` is not ``Origin/device``.
  package var device: DeviceNumber?
  /// Whether at least one device that drives the control is connected.
  package var isLive = false
  /// Detents turned, clockwise positive, including those that had no effect at a limit.
  package var turned: Int64 = 0
  /// The number of presses of the control's push button.
  package var presses: Int64 = 0
  package var isPressed = false
  /// Who makes the gesture in progress; nil: there is none.
  package var editing: EditingOrigin?
  /// Whether a gesture is in progress (SwiftUI's onEditingChanged).
  package var isEditing: Bool { editing != nil }
  /// Whether a press in this direction would have an effect: false at an end that does not wrap, and while unset.
  package var canIncrement = true
  package var canDecrement = true
  /// The number of the control's last change, counted over all controls.
  package var sequence: Int64 = 0
  /// The time of the last change.
  package var time: Instant

  /// The state of a control without a value.
  package init(control: ControlID, origin: Origin, sequence: Int64 = 0, time: Instant) {
    self.control = control
    self.origin = origin
    self.sequence = sequence
    self.time = time
  }
}

/// The end of the range that a value is at.
package enum Limit: Hashable, Sendable {
  case none, minimum, maximum, both
}

/// The cause of the present value.
package enum Origin: Hashable, Sendable {
  case startup, restored, device, client, configuration
  /// No input of the control was touched for its ``Feel/resetAfter``.
  case idle
}
