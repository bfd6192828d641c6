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
  /// The values that there are, in ascending order, for a side that knows them: what is written becomes the nearest one.
  /// Empty: any.
  public var grid: [Double]

  /// Values in `range` with `rounding`, or those of `grid`, in the control's unit.
  public init(
    range: ClosedRange<Double> = -.infinity ... .infinity, rounding: Double = 0, grid: [Double] = []
  ) {
    self.range = range
    self.rounding = rounding
    self.grid = grid
  }

  /// The nearest value of the range.
  public func clamp(_ value: Double) -> Double { min(max(value, range.lowerBound), range.upperBound) }

  /// Whether `value` may be what became of `written`.
  func isEcho(_ value: Double, of written: Double) -> Bool {
    (value - nearest(clamp(written))).magnitude <= rounding + Self.slack(written)
  }

  /// The value of the grid that is nearest to `value`.
  func nearest(_ value: Double) -> Double {
    guard let first = grid.first else { return value }
    var (low, high) = (0, grid.count)
    while low < high {
      let middle = (low + high) / 2
      if grid[middle] < value { low = middle + 1 } else { high = middle }
    }
    guard low < grid.count else { return grid[grid.count - 1] }
    guard low > 0 else { return first }
    return value - grid[low - 1] <= grid[low] - value ? grid[low - 1] : grid[low]
  }

  /// What the arithmetic of floating point may add to a difference.
  static func slack(_ value: Double) -> Double { max(value.magnitude, 1) * 1e-9 }
}
