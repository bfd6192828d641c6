/// What has happened to a side of a ``Bridge``.
public enum BridgeInput: Hashable, Sendable {
  /// The side is connected, for the first time or as another one: the two meet when its value is known.
  case connected(BridgeSide, BridgeTerms)
  /// The side is connected again and is the same: pending writes to it continue.
  case resumed(BridgeSide)
  /// The side has other terms than before, and is the same.
  case terms(BridgeSide, BridgeTerms)
  /// The side is disconnected.
  case lost(BridgeSide)
  /// The present value of the side. Values are reported in the order of the changes, and all but the last may be left out;
  /// nil: it has none, or does not report it. Nothing is written before both sides have reported.
  case value(BridgeSide, Double?)
  /// Whether a hand is moving the control; after the ``value(_:_:)`` of the same state.
  case editing(Bool)
  /// The last write to the side is done.
  case written(BridgeSide)
  /// The write was not done because the side has changed in between; it is repeated unless the change is a new value.
  case overtaken(BridgeSide)
  /// It is not known whether the write was done; it is repeated unless the side has a new value.
  case unanswered(BridgeSide)
  /// The write was refused, and would be refused again.
  case refused(BridgeSide)
}

/// What a ``Bridge`` asks for.
///
/// A write to the control is made only if the control has not changed since its last report, and is
/// ``BridgeInput/overtaken(_:)`` otherwise: the hand wins also where a write and a turn of the knob cross, and two values
/// cannot chase each other.
public enum BridgeEffect: Hashable, Sendable {
  /// Write the value to the side, and apply ``BridgeInput/written(_:)``, ``BridgeInput/overtaken(_:)``,
  /// ``BridgeInput/unanswered(_:)``, ``BridgeInput/refused(_:)`` or ``BridgeInput/lost(_:)`` afterwards. No other write to the side follows before that.
  case write(BridgeSide, Double)
  /// Report that a value is beyond the range of the side and was clamped; once for the terms of a side.
  case clamped(BridgeSide, Double, to: Double)
}
