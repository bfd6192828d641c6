/// The knobs that turn one control: the sum of their detents, and the steps that a turn is worth.
struct Knobs: Hashable, Sendable {
  /// Detents so far, clockwise positive; a turn that would overflow the sum is not counted.
  private(set) var turned: Int64 = 0

  /// Records a turn; returns how many steps of a `unit` it is worth. Pages are never accelerated.
  mutating func turn(
    _ turn: RelativeAxis.Turn, _ rule: Feel.Turns, _ unit: StepUnit, in range: ValueRange
  ) -> Int64 {
    let (sum, overflow) = turned.addingReportingOverflow(turn.detents)
    if !overflow { turned = sum }
    return switch rule {
    case .detents: unit == .step ? accelerated(turn, in: range) : turn.detents
    case .events: turn.detents.signum()
    }
  }

  /// The accelerated steps of a turn. A control with at most `shortRange` steps is never accelerated, and one turn
  /// never moves more than a twentieth of the range, unless that many detents were turned.
  private func accelerated(_ turn: RelativeAxis.Turn, in range: ValueRange) -> Int64 {
    let shortRange: Int64 = 100
    guard let steps = turn.acceleratedSteps, range.stepCount.map({ $0 > shortRange }) ?? true else {
      return turn.detents
    }
    let most = range.stepCount.map { Double($0 / 20) } ?? .infinity
    let limited = max(min(steps, most), Double(turn.detents.magnitude))
    return turn.detents.signum() * (Int64(exactly: limited) ?? Int64(clamping: turn.detents.magnitude))
  }
}
