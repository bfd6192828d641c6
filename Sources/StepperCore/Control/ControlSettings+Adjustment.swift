extension ControlSettings {
  /// The settings with other bounds or steps, rounded to the precision of `range`; nil if they are refused. The
  /// bounds and steps of a choice, a toggle and a button are fixed.
  func adjusted(by adjustment: Adjustment, in range: ValueRange) -> ControlSettings? {
    let smallest = range.number(1)
    guard kind == .continuous, adjustment.stepValue ?? smallest >= smallest,
      adjustment.pageIncrement ?? smallest >= smallest
    else { return nil }
    let adjustment = adjustment.mapped { range.number(range.units(of: $0)) }
    var result = self
    result.stepValue = adjustment.stepValue ?? stepValue
    result.pageIncrement = adjustment.pageIncrement ?? pageIncrement
    return result.moveBounds(adjustment) ? result : nil
  }

  /// Sets both bounds from an adjustment; false if it is refused.
  private mutating func moveBounds(_ adjustment: Adjustment) -> Bool {
    minimumValue = adjustment.minimumValue ?? minimumValue
    maximumValue = adjustment.maximumValue ?? maximumValue
    guard let minimum = minimumValue, let maximum = maximumValue, minimum > maximum else { return true }
    switch feel.rangeConflict {
    case .refuse: return false
    case .valueIsMinimum: break
    case .minimumWins: maximumValue = minimum
    case .lastWriter:
      if adjustment.maximumValue == nil { maximumValue = minimum } else { minimumValue = maximum }
    }
    return true
  }
}

extension Adjustment {
  fileprivate func mapped(_ change: (FixedPoint) -> FixedPoint) -> Adjustment {
    Adjustment(
      minimumValue: minimumValue.map(change), maximumValue: maximumValue.map(change),
      stepValue: stepValue.map(change), pageIncrement: pageIncrement.map(change))
  }
}
