/// Something for the daemon to do, in this order and after the engine has returned.
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
  /// Run the hook of the whole board: no input was touched for ``EngineConfiguration/idleAfter``.
  case becameIdle
  /// Run the hook of the whole board: it was idle, and an input of this device was touched; nil: a client changed a
  /// value.
  case becameActive(DeviceNumber?)

  package enum Refusal: Hashable, Sendable {
    /// The range does not hold this value.
    case outOfRange(FixedPoint)
    /// The control has changed since the sequence number the client named.
    case changed(sequence: Int64)
    /// The minimum would exceed the maximum, or a step would not be greater than 0.
    case invalidRange(Adjustment)
    /// It cannot be unset.
    case unset
    /// The identifier belongs to a former configuration, or to none.
    case unknownControl
  }
}

/// The published state of a control: levels and counters, no events.
package struct ControlState: Hashable, Sendable {
  package var control: ControlID
  /// nil: unset.
  package var value: FixedPoint?
  package var limit = Limit.none
  package var origin: Origin
  /// The device that made the value; nil if ``origin`` is not ``Origin/device``.
  package var device: DeviceNumber?
  /// Whether at least one device that drives it is connected.
  package var isLive = false
  /// Detents turned, clockwise positive, also those that had no effect at a limit.
  package var turned: Int64 = 0
  /// Presses of its push button.
  package var presses: Int64 = 0
  package var isPressed = false
  /// Who makes the gesture that is in progress; nil: none is.
  package var editing: EditingOrigin?
  /// Whether a gesture is in progress (SwiftUI's onEditingChanged).
  package var isEditing: Bool { editing != nil }
  /// Whether a press would have an effect: false at an end that does not wrap, and while unset.
  package var canIncrement = true
  package var canDecrement = true
  /// Number of the last change among all changes of all controls.
  package var sequence: Int64 = 0
  /// When it last changed.
  package var time: Instant

  /// Of a control without a value.
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
