/// An event at a side of a ``Bridge``.
public enum BridgeInput: Hashable, Sendable {
  /// The side is connected, for the first time or as a different one. The two sides meet when its value is known.
  case connected(BridgeSide, BridgeTerms)
  /// The same side is connected again: pending writes to it continue.
  case resumed(BridgeSide)
  /// The side's terms have changed, but it is the same side.
  case terms(BridgeSide, BridgeTerms)
  /// The side is disconnected.
  case lost(BridgeSide)
  /// The current value of the side; nil: it has none, or does not report it. Values must be reported in the order of the changes; all but
  /// the last may be left out. Nothing is written before both sides have reported.
  case value(BridgeSide, Double?)
  /// Whether a hand is moving the control. Follows the ``value(_:_:)`` of the same state.
  case editing(Bool)
  /// The last write to the side is done.
  case written(BridgeSide)
  /// The write was not done because the side has changed in between. It is repeated unless the change is a new value.
  case overtaken(BridgeSide)
  /// It is unknown whether the write was done. It is repeated unless the side has a new value.
  case unanswered(BridgeSide)
  /// The write was refused, and a repetition would be refused as well.
  case refused(BridgeSide)
}

/// An action that a ``Bridge`` asks for.
///
/// A write to the control must be made only if the control has not changed since its last report; otherwise it is
/// ``BridgeInput/overtaken(_:)``. So the hand wins even if a write and a turn of the knob cross, and two values cannot chase each other.
public enum BridgeEffect: Hashable, Sendable {
  /// Write the value to the side. Afterwards apply ``BridgeInput/written(_:)``, ``BridgeInput/overtaken(_:)``,
  /// ``BridgeInput/unanswered(_:)``, ``BridgeInput/refused(_:)`` or ``BridgeInput/lost(_:)``; until then there is no other write to the
  /// side.
  case write(BridgeSide, Double)
  /// Report that a value beyond the range of the side was clamped. This is reported once for each terms of a side.
  case clamped(BridgeSide, Double, to: Double)
}
