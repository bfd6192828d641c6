/// One of the two sides of a bridge.
public enum BridgeSide: String, Hashable, Sendable, CaseIterable {
  /// The control of the daemon.
  case control
  /// What it is kept equal with: a mixer, a screen's brightness, a broker.
  case outside

  /// The side across.
  public var other: BridgeSide { self == .control ? .outside : .control }
}

/// How a bridge keeps its two sides equal.
public struct BridgeRules: Hashable, Sendable {
  /// The side whose value counts when the two meet: at the start, and when one of them was gone and is back.
  public var start: BridgeSide
  /// The highest value that the two may meet with, in the control's unit; a higher one is lowered, on both sides.
  /// nil: any.
  public var startAtMost: Double?
  /// The least time between two writes to one side. The first is made at once, and the last value always arrives.
  public var interval: Duration
  /// How long a side may rest at a value that looks like the echo of an older write, before it is taken for what the
  /// side has been set to.
  public var settle: Duration

  /// Rules with at most `rate` writes a second to each side.
  public init(
    start: BridgeSide = .outside, startAtMost: Double? = nil, rate: Double = 50,
    settle: Duration = .seconds(2)
  ) {
    self.start = start
    self.startAtMost = startAtMost
    interval = rate > 0 ? .seconds(1) / rate : .zero
    self.settle = settle
  }
}

/// The values that a side can have. All are in the control's unit.
public struct BridgeTerms: Hashable, Sendable {
  /// What it is clamped to; infinite ends are open.
  public var range: ClosedRange<Double>
  /// The most that a value which comes back from the side differs from the one written: half a step of a mixer.
  public var rounding: Double

  /// Values in `range` with `rounding`, in the control's unit.
  public init(range: ClosedRange<Double> = -.infinity ... .infinity, rounding: Double = 0) {
    self.range = range
    self.rounding = rounding
  }

  /// The nearest value of the range.
  public func clamp(_ value: Double) -> Double { min(max(value, range.lowerBound), range.upperBound) }

  /// Whether `value` may be what became of `written`.
  func isEcho(_ value: Double, of written: Double) -> Bool {
    (value - clamp(written)).magnitude <= rounding + Self.slack(written)
  }

  /// What the arithmetic of floating point may add to a difference.
  static func slack(_ value: Double) -> Double { max(value.magnitude, 1) * 1e-9 }
}
