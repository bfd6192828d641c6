internal import StepperBridge

/// Converts the raw values of an outside, such as the 65 steps of a mixer, to places from 0 to 1.
struct RawScale: Hashable, Sendable {
  let range: ClosedRange<Int>
  /// The terms of a bridge with these values. If there are few values, the grid has the place of each; otherwise a curve computes it.
  let terms: BridgeTerms
  private let curve: RawCurve

  /// The most places of a table: with more values than this, nobody hears or sees a difference between neighbours.
  static let mostPlaces = 4_096
  /// The greatest span. No volume has a larger one, and a Double would not distinguish all values.
  static let mostSpan = 1 << 32

  /// Uses the places of `range` on `curve`. The range may span at most ``mostSpan``.
  init(_ range: ClosedRange<Int>, _ curve: RawCurve) {
    let count = range.upperBound - range.lowerBound
    if count < Self.mostPlaces, count > 0 {
      self.init(range, places: range.map { curve.place(Double($0 - range.lowerBound) / Double(count)) })
    } else {
      // The curves have their widest gap at their lower end.
      let rounding = curve.place(1 / Double(max(count, 1))) / 2
      self.init(range, curve, BridgeTerms(range: 0...1, rounding: rounding))
    }
  }

  /// Uses a place for each value, ascending from 0 to 1.
  init(_ range: ClosedRange<Int>, places: [Double]) {
    self.init(range, .raw, BridgeTerms(range: 0...1, grid: places))
  }

  private init(_ range: ClosedRange<Int>, _ curve: RawCurve, _ terms: BridgeTerms) {
    (self.range, self.curve, self.terms) = (range, curve, terms)
  }

  private var span: Double { Double(max(range.upperBound - range.lowerBound, 1)) }

  func place(_ raw: Int) -> Double {
    let raw = min(max(raw, range.lowerBound), range.upperBound)
    guard terms.grid.isEmpty else { return terms.grid[raw - range.lowerBound] }
    return curve.place(Double(raw - range.lowerBound) / span)
  }

  func raw(_ place: Double) -> Int {
    let place = min(max(place, 0), 1)
    if let index = terms.nearestIndex(place) { return range.lowerBound + index }
    return range.lowerBound + Int((curve.fraction(place) * span).rounded())
  }
}

/// Converts a fraction of the raw range to a place.
enum RawCurve: Hashable, Sendable {
  case raw
  /// The light is the square of the place. This is close to the eye's response (Stevens' power law, with an exponent of 0.5 for a point
  /// source or a brief flash).
  case perceptual

  func place(_ fraction: Double) -> Double { self == .raw ? fraction : fraction.squareRoot() }

  func fraction(_ place: Double) -> Double { self == .raw ? place : place * place }
}
