public import StepperInterfaces

extension ControlInterface.Description {
  /// The values that a bridge may write to the control, which rounds to its digits; nil: the control cannot be written.
  public var bridgeTerms: BridgeTerms? {
    switch kind {
    case .toggle: return BridgeTerms(range: 0...1, rounding: 0.5)
    case .choice:
      // For very many choices the daemon does not say how many there are, and refuses values beyond the last one.
      let last = choices.map { Double(max($0.count - 1, 0)) } ?? .infinity
      return BridgeTerms(range: 0...last, rounding: 0.5)
    case .button: return nil
    default:
      let (low, high) = (minimum ?? -.infinity, maximum ?? .infinity)
      guard low <= high else { return nil }
      var unit = 1.0
      for _ in 0..<max(0, min(precision ?? digits ?? 9, 9)) { unit /= 10 }
      return BridgeTerms(range: low...high, rounding: unit / 2)
    }
  }
}

/// Converts the values of an outside to those of a control, and back.
struct BridgeConversion: Hashable {
  private let offset: Double
  private let factor: Double
  /// The terms of the outside in the control's unit.
  let terms: BridgeTerms

  /// nil: the range of a side has an open end or a single value, so that it cannot be spread.
  init?(_ scale: BridgeScale, from outside: BridgeTerms, to control: BridgeTerms) {
    switch scale {
    case .same: (offset, factor) = (0, 1)
    case .spread:
      let (from, to) = (outside.range, control.range)
      let spans = (from.upperBound - from.lowerBound, to.upperBound - to.lowerBound)
      guard spans.0.isFinite, spans.1.isFinite, spans.0 > 0, spans.1 > 0 else { return nil }
      factor = spans.1 / spans.0
      offset = to.lowerBound - from.lowerBound * (spans.1 / spans.0)
      // For extreme ranges the results may be infinite or NaN.
      guard factor.isFinite, factor > 0, offset.isFinite else { return nil }
    }
    let (offset, factor) = (offset, factor)
    let ends = (outside.range.lowerBound * factor + offset, outside.range.upperBound * factor + offset)
    guard ends.0 <= ends.1, scale == .same || (ends.0.isFinite && ends.1.isFinite) else { return nil }
    terms = BridgeTerms(
      range: ends.0...ends.1,
      rounding: outside.rounding * factor, grid: outside.grid.map { $0 * factor + offset })
  }

  func control(_ value: Double) -> Double { value * factor + offset }

  func outside(_ value: Double) -> Double { (value - offset) / factor }
}
