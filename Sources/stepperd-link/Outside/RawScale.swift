package import StepperBridge

/// The raw values of an outside, such as the 65 steps of a mixer, as places from 0 to 1.
package struct RawScale: Hashable, Sendable {
  package let range: ClosedRange<Int>
  /// The place of each raw value in ascending order, where there are few; else a curve computes it.
  private let places: [Double]
  private let curve: RawCurve

  /// No table is larger; between more values than this no difference is heard or seen.
  package static let mostPlaces = 4_096

  /// The places of `range` on `curve`.
  package init(_ range: ClosedRange<Int>, _ curve: RawCurve) {
    self.range = range
    self.curve = curve
    let count = range.upperBound - range.lowerBound
    places =
      count < Self.mostPlaces && count > 0
      ? range.map { curve.place(Double($0 - range.lowerBound) / Double(count)) } : []
  }

  /// With places of its own, as many as values and ascending from 0 to 1.
  package init(_ range: ClosedRange<Int>, places: [Double]) {
    (self.range, self.places, curve) = (range, places, .raw)
  }

  private var span: Double { Double(max(range.upperBound - range.lowerBound, 1)) }

  /// The terms of a bridge with these values.
  package var terms: BridgeTerms {
    // The widest gap of the curves is at their lower end.
    BridgeTerms(
      range: 0...1, rounding: places.isEmpty ? curve.place(1 / span) / 2 : 0, grid: places)
  }

  package func place(_ raw: Int) -> Double {
    let raw = min(max(raw, range.lowerBound), range.upperBound)
    guard places.isEmpty else { return places[raw - range.lowerBound] }
    return curve.place(Double(raw - range.lowerBound) / span)
  }

  package func raw(_ place: Double) -> Int {
    let place = min(max(place, 0), 1)
    guard places.isEmpty else { return range.lowerBound + nearest(place) }
    return range.lowerBound + Int((curve.fraction(place) * span).rounded())
  }

  /// Where the nearest of the places is.
  private func nearest(_ place: Double) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < place { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return 0 }
    guard low < places.count else { return places.count - 1 }
    return place - places[low - 1] <= places[low] - place ? low - 1 : low
  }
}

/// The place of a fraction of the raw range.
package enum RawCurve: Hashable, Sendable {
  case raw
  /// The light is the square of the place, near the eye's curve (Stevens' power law with an exponent of 0.5 for a source
  /// that is seen as a point or for a moment).
  case perceptual

  func place(_ fraction: Double) -> Double { self == .raw ? fraction : fraction.squareRoot() }

  func fraction(_ place: Double) -> Double { self == .raw ? place : place * place }
}
