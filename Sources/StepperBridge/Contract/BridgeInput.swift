/// What has happened to a side of a ``Bridge``.
public enum BridgeInput: Hashable, Sendable {
  /// The side is there, for the first time or as a new one: who begins is decided when its value is known.
  case connected(BridgeSide, BridgeTerms)
  /// The side is there again and was the same all the time: what was waiting goes on.
  case resumed(BridgeSide)
  /// The side has other terms than before.
  case terms(BridgeSide, BridgeTerms)
  /// The side is gone.
  case lost(BridgeSide)
  /// The present value of the side, which is reported in the order that it has changed in, and may be skipped but for
  /// the last one; nil: it has none, or does not say it. Nothing is written before both sides have reported.
  case value(BridgeSide, Double?)
  /// Whether a hand is moving the control. A state is its ``value(_:_:)``, and then this.
  case editing(Bool)
  /// The write to the side that was asked for last is done.
  case written(BridgeSide)
  /// The write was not done because the side has changed in between; it is asked for again unless that is news.
  case overtaken(BridgeSide)
  /// The write was not done and would not be if it were asked for again.
  case refused(BridgeSide)
}

/// What a ``Bridge`` asks for.
///
/// A write to the control is made only if the control is still as it was reported last, and is ``BridgeInput/overtaken(_:)``
/// otherwise: so the hand wins also where a write and a turn of the knob cross, and two values cannot chase each other.
public enum BridgeEffect: Hashable, Sendable {
  /// Write the value to the side, and answer with ``BridgeInput/written(_:)``, ``BridgeInput/overtaken(_:)`` or
  /// ``BridgeInput/refused(_:)``, or with the loss of the side. There is no other write to it meanwhile.
  case write(BridgeSide, Double)
  /// Say that a value is beyond the range of the side and was clamped. It is asked for once for the terms of a side.
  case clamped(BridgeSide, Double, to: Double)
}
