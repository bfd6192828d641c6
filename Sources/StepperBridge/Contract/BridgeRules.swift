/// One of the two sides of a bridge.
public enum BridgeSide: String, Hashable, Sendable, CaseIterable {
  /// The control of the daemon.
  case control
  /// What the control is kept equal to: a mixer, a screen's brightness, a broker.
  case outside

  /// The other side.
  public var other: BridgeSide { self == .control ? .outside : .control }
}

/// How a bridge keeps its two sides equal.
public struct BridgeRules: Hashable, Sendable {
  /// The side whose value wins when the two sides meet: at the start, and after one of them was disconnected.
  public var start: BridgeSide
  /// The highest value at which the two sides may meet, in the control's unit. A higher value is lowered on both sides. nil: any value.
  public var startAtMost: Double?
  /// The least time between two writes to one side. The first write is made at once, and the value at rest always arrives.
  public var interval: Duration
  /// How long a side must stay at a value that looks like the echo of an older write before the value is passed on. The time begins at
  /// the end of a write that is in progress.
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

/// The values that a side can have, in the control's unit.
public struct BridgeTerms: Hashable, Sendable {
  /// The range that values are clamped to; infinite ends are open.
  public var range: ClosedRange<Double>
  /// The greatest difference between a written value and the one that the side reports back: half a step of a mixer. Infinite: unknown; a
  /// value that follows a write within ``BridgeRules/settle`` is then passed on only when it stays.
  public var rounding: Double
  /// All values that the side can have, in ascending order, if they are known: a written value becomes the nearest one. Empty: any value.
  public var grid: [Double]

  /// Terms with the values in `range`, rounded by up to `rounding`, or with the values of `grid`, in the control's unit.
  public init(
    range: ClosedRange<Double> = -.infinity ... .infinity, rounding: Double = 0, grid: [Double] = []
  ) {
    self.range = range
    self.rounding = rounding
    self.grid = grid
  }

  /// The nearest value of the range.
  public func clamp(_ value: Double) -> Double { min(max(value, range.lowerBound), range.upperBound) }

  /// Whether `value` may be `written` after the side has rounded it.
  func isEcho(_ value: Double, of written: Double) -> Bool {
    (value - nearest(clamp(written))).magnitude <= knownRounding + Self.slack(written)
  }

  /// Whether `value` is `other` after the side has rounded it, and `other` is not beyond the side's range.
  func isEqual(_ value: Double, to other: Double) -> Bool {
    isEcho(value, of: other) && (clamp(other) - other).magnitude <= knownRounding + Self.slack(other)
  }

  var isRoundingKnown: Bool { rounding.isFinite }
  private var knownRounding: Double { isRoundingKnown ? rounding : 0 }

  /// The highest value of the grid that is not above `most`; if there is none, the lowest value.
  func highest(upTo most: Double) -> Double { grid.last { $0 <= most } ?? grid.first ?? most }

  /// The value of the grid that is nearest to `value`.
  func nearest(_ value: Double) -> Double { nearestIndex(value).map { grid[$0] } ?? value }

  /// The index of the nearest value; nil: the grid is empty.
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

  /// The tolerance for floating-point errors in a difference.
  static func slack(_ value: Double) -> Double { max(value.magnitude, 1) * 1e-9 }
}
