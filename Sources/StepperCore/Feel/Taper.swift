/// How the travel of a fader maps to the range of its control.
package enum Taper: String, CaseIterable, Hashable, Sendable {
  case linear
  /// For audio: equal travel is an equal ratio. Halfway is a tenth of the range, as in potentiometers with taper A:
  /// (81^x − 1) / 80.
  case logarithmic

  /// Maps a part of the travel, 0…1, to the part of the range, 0…1.
  func range(at travel: Double) -> Double {
    switch self {
    case .linear: travel
    case .logarithmic: (exponential(travel * 6.339850002884624) - 1) / 80  // log2(81)
    }
  }

  /// Maps a part of the range, 0…1, to the part of the travel, 0…1.
  func travel(at range: Double) -> Double {
    guard self != .linear else { return range }
    var (low, high) = (0.0, 1.0)
    for _ in 0..<53 {
      let middle = (low + high) / 2
      if self.range(at: middle) < range { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// 2 to the power of `exponent`, which must be 0 or more and small. The core imports no library with this function.
  private func exponential(_ exponent: Double) -> Double {
    let whole = exponent.rounded(.down)
    let x = (exponent - whole) * 0.6931471805599453  // ln 2
    var (sum, term) = (1.0, 1.0)
    for n in 1...20 {
      term *= x / Double(n)
      sum += term
    }
    return sum * Double(sign: .plus, exponent: Int(whole), significand: 1)
  }
}
