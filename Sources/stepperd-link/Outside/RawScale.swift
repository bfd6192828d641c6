internal import StepperBridge

/// The raw values of an outside, such as the 65 steps of a mixer, as places from 0 to 1.
struct RawScale: Hashable, Sendable {
  let range: ClosedRange<Int>
  /// The terms of a bridge with these values. The grid is the place of each, where there are few; else a curve computes it.
  let terms: BridgeTerms
  private let curve: RawCurve

  /// No table is larger; between more values than this no difference is heard or seen.
  static let mostPlaces = 4_096
  /// No volume has more; numbers of more are none that a Double tells apart.
  static let mostSpan = 1 << 32

  /// The places of `range` on `curve`. It spans at most ``mostSpan``.
  init(_ range: ClosedRange<Int>, _ curve: RawCurve) {
    let count = range.upperBound - range.lowerBound
    if count < Self.mostPlaces, count > 0 {
      self.init(range, places: range.map { curve.place(Double($0 - range.lowerBound) / Double(count)) })
    } else {
      // The widest gap of the curves is at their lower end.
      let rounding = curve.place(1 / Double(max(count, 1))) / 2
      self.init(range, curve, BridgeTerms(range: 0...1, rounding: rounding))
    }
  }

  /// With separate places, as many as values and ascending from 0 to 1.
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

/// The place of a fraction of the raw range.
enum RawCurve: Hashable, Sendable {
  case raw
  /// The light is the square of the place, near the eye's curve (Stevens' power law with an exponent of 0.5 for a source
  /// that is seen as a point or for a moment).
  case perceptual

  func place(_ fraction: Double) -> Double { self == .raw ? fraction : fraction.squareRoot() }

  func fraction(_ place: Double) -> Double { self == .raw ? place : place * place }
}
