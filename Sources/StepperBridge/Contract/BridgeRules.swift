/// One of the two sides of a bridge.
public enum BridgeSide: String, Hashable, Sendable, CaseIterable {
  /// The control of the daemon.
  case control
  /// What it is kept equal with: a mixer, a screen's brightness, a broker.
  case outside

  /// The other side.
  public var other: BridgeSide { self == .control ? .outside : .control }
}

/// How a bridge keeps its two sides equal.
public struct BridgeRules: Hashable, Sendable {
  /// The side whose value counts when the two meet: at the start, and when one of them was disconnected.
  public var start: BridgeSide
  /// The highest value that the two may meet with, in the control's unit; a higher one is lowered, on both sides.
  /// nil: any.
  public var startAtMost: Double?
  /// The least time between two writes to one side. The first is made at once, and the value at rest always arrives.
  public var interval: Duration
  /// How long a side may rest at a value that looks like the echo of an older write before the value is passed on.
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
  /// The range that values are clamped to; infinite ends are open.
  public var range: ClosedRange<Double>
  /// The most that a value which comes back from the side differs from the one written: half a step of a mixer. Infinite:
  /// it is not known, so that what follows a write within ``BridgeRules/settle`` is passed on only when it rests.
  public var rounding: Double
  /// The values that the side can have, in ascending order, if it knows them: a written value becomes the nearest one.
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

  /// Whether `value` may be `written` as the side has rounded it.
  func isEcho(_ value: Double, of written: Double) -> Bool {
    (value - nearest(clamp(written))).magnitude <= knownRounding + Self.slack(written)
  }

  /// Whether `value` is `other` as the side has rounded it, and not because `other` is beyond its range.
  func isEqual(_ value: Double, to other: Double) -> Bool {
    isEcho(value, of: other) && (clamp(other) - other).magnitude <= knownRounding + Self.slack(other)
  }

  var isRoundingKnown: Bool { rounding.isFinite }
  private var knownRounding: Double { isRoundingKnown ? rounding : 0 }

  /// The highest value of the grid up to `most`; without one, its lowest.
  func highest(upTo most: Double) -> Double { grid.last { $0 <= most } ?? grid.first ?? most }

  /// The value of the grid that is nearest to `value`.
  func nearest(_ value: Double) -> Double { nearestIndex(value).map { grid[$0] } ?? value }

  /// Its index; nil: the grid is empty.
  package func nearestIndex(_ value: Double) -> Int? {
    guard !grid.isEmpty else { return nil }
    var (low, high) = (0, grid.count)
    while low < high {
      let middle = (low + high) / 2
      if grid[middle] < value { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return 0 }
    guard low < grid.count else { return grid.count - 1 }
    return value - grid[low - 1] <= grid[low] - value ? low - 1 : low
  }

  /// The error of floating-point arithmetic in a difference.
  static func slack(_ value: Double) -> Double { max(value.magnitude, 1) * 1e-9 }
}
