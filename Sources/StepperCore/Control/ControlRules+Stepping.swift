/// How steps move a value through a range, and what happens at its ends.
extension ControlRules {
  /// Where steps have to be followed one by one, a request for more steps than this makes only this many.
  private static let mostFollowed: Int64 = 10_000

  private var isAdvisory: Bool { feel.bounds == .advisory }

  /// Whether the value can move from `value` in this direction; a partial step counts, even if it would be refused.
  func canMove(_ value: Int64, _ direction: Direction) -> Bool {
    if wraps || isAdvisory { return true }
    let value = feel.partialStep == .grid ? range.snapped(value) : value
    guard var end = direction == .increment ? range.maximum : range.minimum else { return true }
    // The end is the last value that snapping allows.
    if feel.snapping == .always { end = range.snapped(end) }
    // A value outside the range that cannot step back is not at its end either (RPVerticalStepper).
    if feel.partialStep == .refuse { return value != end }
    return direction == .increment ? value < end : value > end
  }

  /// Whether `count` steps of `size` units lead past an end to the other.
  func wraps(_ value: Int64, by count: Int64, size: Int64) -> Bool {
    guard wraps, let span = range.span, count != 0 else { return false }
    let room = count > 0 ? span.upperBound - value : value - span.lowerBound
    let (way, overflow) = size.multipliedReportingOverflow(by: count == .min ? .max : abs(count))
    // A partial step to the end is refused, and only from the end would the value wrap.
    if feel.wrapWhen == .atLimit, feel.partialStep == .refuse, !room.isMultiple(of: size) { return false }
    if overflow { return true }
    // With `exceed` a step that passes the end wraps; otherwise only a step that begins at the end does.
    return feel.wrapWhen == .exceed ? way > room : way > (room + size - 1) / size * size
  }

  /// Moves `value` by `count` steps of `size` units; `applied` is the number of steps that moved it.
  func move(_ value: Int64, by count: Int64, size: Int64) -> (value: Int64, applied: Int64) {
    let start = feel.partialStep == .grid ? range.snapped(value) : value
    let steps = count == .min ? Int64.max : abs(count)
    // Movements downwards are mirrored, so that the code below handles one direction only.
    let only = range.isInverted ? range.minimum : nil
    let track =
      count >= 0
      ? Track(lower: range.minimum, upper: range.maximum, only: only)
      : Track(lower: range.maximum.map { -$0 }, upper: range.minimum.map { -$0 }, only: only.map { -$0 })
    let (target, applied) = up(count >= 0 ? start : -start, by: steps, size: size, on: track)
    return count >= 0 ? (target, applied) : (-target, -applied)
  }

  /// A range, seen in the direction of a movement. With both ends `lower` is at most `upper`, unless the range is
  /// inverted and has only one value.
  private struct Track {
    var lower: Int64?
    var upper: Int64?
    /// The one value of an inverted range.
    var only: Int64?

    func clamp(_ value: Int64) -> Int64 {
      let (most, least) = (ValueRange.largestMagnitude, -ValueRange.largestMagnitude)
      return only ?? min(max(value, lower ?? least), upper ?? most)
    }
  }

  private func up(_ value: Int64, by count: Int64, size: Int64, on track: Track) -> (Int64, Int64) {
    guard count > 0 else { return (value, 0) }
    if wraps, let lower = track.lower, let upper = track.upper {
      guard let entry = entry(value + size, from: value, lower, upper) else {
        return wrap(value, by: count, size: size, from: lower, to: upper)
      }
      let rest = wrap(entry, by: count - 1, size: size, from: lower, to: upper)
      return (rest.0, rest.1 + 1)
    }
    if isAdvisory { return advance(value, by: count, size: size, upTo: ValueRange.largestMagnitude) }
    if track.clamp(value) != value {
      let target = track.clamp(value + size)
      guard target != value, feel.partialStep != .refuse || target == value + size else { return (value, 0) }
      let rest = up(target, by: count - 1, size: size, on: track)
      return (rest.0, rest.1 + 1)
    }
    return advance(value, by: count, size: size, upTo: track.upper ?? ValueRange.largestMagnitude)
  }

  /// Moves without wrapping; the last step may be a partial one.
  private func advance(_ value: Int64, by count: Int64, size: Int64, upTo upper: Int64) -> (Int64, Int64) {
    let room = max(upper - value, 0)
    let (way, overflow) = size.multipliedReportingOverflow(by: count)
    if !overflow, way <= room { return (value + way, count) }
    let whole = room / size
    let hasPartial = !room.isMultiple(of: size) && feel.partialStep != .refuse
    return hasPartial ? (upper, whole + 1) : (value + whole * size, whole)
  }

  // MARK: Wrapping

  /// The result of a step to `target` from a value outside the range; nil: an ordinary step.
  private func entry(_ target: Int64, from value: Int64, _ lower: Int64, _ upper: Int64) -> Int64? {
    if value > upper { return feel.wrapWhen == .atLimit ? upper : nil }
    guard value < lower, !(isAdvisory && feel.wrapWhen == .atLimit) else { return nil }
    if target > upper { return feel.wrapWhen == .atLimit ? upper : lower }
    // NumberBox treats a value that is still too small as one that went down past the minimum.
    if target < lower { return isAdvisory ? upper : lower }
    return target
  }

  private func wrap(_ value: Int64, by count: Int64, size: Int64, from lower: Int64, to upper: Int64)
    -> (Int64, Int64)
  {
    guard feel.wrapLanding == .opposite else {
      return followed(value, by: count, size: size, from: lower, to: upper)
    }
    let span = upper - lower
    let start = min(value - lower, span)
    if feel.wrapWhen == .exceed {
      let free = value > upper ? 0 : (span - start) / size
      if count <= free { return (value + count * size, count) }
      // One step lands on the opposite end, and the remaining steps go round.
      return (lower + (count - free - 1) % (span / size + 1) * size, count)
    }
    let first = advance(value, by: count, size: size, upTo: upper)
    if first.0 < upper || first.1 == count { return first }
    let left = count - first.1 - 1
    guard feel.partialStep != .refuse || span.isMultiple(of: size) else {
      // The partial step to the end is refused, and only from the end would the value wrap again.
      let more = min(left, span / size)
      return (lower + more * size, first.1 + 1 + more)
    }
    let round = span / size + (span.isMultiple(of: size) ? 1 : 2)
    return (min(lower + left % round * size, upper), count)
  }

  /// Makes the steps one by one: there is no short formula for modular landings.
  private func followed(_ value: Int64, by count: Int64, size: Int64, from lower: Int64, to upper: Int64)
    -> (Int64, Int64)
  {
    var value = value
    let steps = min(count, Self.mostFollowed)
    for _ in 0..<steps {
      let isBeyond = feel.wrapWhen == .exceed ? value + size > upper : value >= upper
      if isBeyond {
        // The overshoot is counted in whole numbers (59 + 1 in 0…59 is 0: NSStepperCell's arithmetic), and the result
        // is clamped.
        let target = value + size - upper + lower - range.units(of: 1)
        value = min(max(target, lower), upper)
      } else {
        value = advance(value, by: 1, size: size, upTo: upper).0
      }
    }
    return (value, steps)
  }
}
