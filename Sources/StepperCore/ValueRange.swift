/// Where a value may stand and how a step moves it: integer arithmetic on units of 10^−digits.
///
/// Nothing here overflows: every number is kept within ±``largestMagnitude``.
struct ValueRange: Hashable, Sendable {
  /// Decimal places of all numbers here.
  let digits: Int
  let minimum: Int64?
  let maximum: Int64?
  private let step: Int64
  private let page: Int64
  private let wraps: Bool

  /// Values saturate here: sums and differences of two such numbers still fit.
  static let largestMagnitude: Int64 = 1 << 61

  /// A maximum below the minimum becomes the minimum, and steps are at least one unit.
  init(_ settings: ControlSettings) {
    let digits = settings.digits
    func units(_ number: FixedPoint) -> Int64 { Self.units(of: number, digits: digits) }
    let minimum = settings.minimumValue.map(units)
    self.digits = digits
    self.minimum = minimum
    maximum = settings.maximumValue.map { max(units($0), minimum ?? -Self.largestMagnitude) }
    step = max(units(settings.stepValue), 1)
    page = max(units(settings.pageIncrement), 1)
    wraps = settings.wraps
  }

  func units(of number: FixedPoint) -> Int64 { Self.units(of: number, digits: digits) }

  private static func units(of number: FixedPoint, digits: Int) -> Int64 {
    min(max(number.rescaled(to: digits).units, -largestMagnitude), largestMagnitude)
  }

  func number(_ units: Int64) -> FixedPoint { FixedPoint(units: units, digits: digits) }

  func clamp(_ value: Int64) -> Int64 {
    min(max(value, minimum ?? -Self.largestMagnitude), maximum ?? Self.largestMagnitude)
  }

  func contains(_ value: Int64) -> Bool { clamp(value) == value }

  func limit(of value: Int64) -> Limit {
    switch (value == minimum, value == maximum) {
    case (true, true): .both
    case (true, false): .minimum
    case (false, true): .maximum
    case (false, false): .none
    }
  }

  /// Steps between both ends; nil if there are not two.
  var stepCount: Int64? {
    guard let minimum, let maximum else { return nil }
    return (maximum - minimum) / step
  }

  /// Moves `value` by `count` steps. The last step to an end may be a partial one: 9 + 2 in 0…10 is 10.
  ///
  /// A range that wraps goes to the opposite end when a step would pass an end, and on from there; `applied`
  /// counts the steps that moved the value.
  func move(_ value: Int64, by count: Int64, _ unit: StepUnit) -> (value: Int64, applied: Int64) {
    let size = unit == .page ? page : step
    if wraps, let minimum, let maximum {
      return minimum == maximum
        ? (value, 0) : (wrap(value, by: count, size: size, in: minimum...maximum), count)
    }
    // Mirrored, so that there is one direction to think about.
    let isUp = count >= 0
    let room = isUp ? clamp(.max) - value : value - clamp(.min)
    let wanted = count == .min ? Int64.max : abs(count)
    let needed = room / size + (room.isMultiple(of: size) ? 0 : 1)
    let applied = min(wanted, needed)
    let distance = applied == needed ? room : applied * size
    return isUp ? (value + distance, applied) : (value - distance, -applied)
  }

  private func wrap(_ value: Int64, by count: Int64, size: Int64, in range: ClosedRange<Int64>) -> Int64 {
    let isUp = count >= 0
    let wanted = count == .min ? Int64.max : abs(count)
    let start = isUp ? value - range.lowerBound : range.upperBound - value
    let span = range.upperBound - range.lowerBound
    let free = (span - start) / size
    let distance: Int64
    if wanted <= free {
      distance = start + wanted * size
    } else {
      // One step lands on the opposite end, whatever is left goes round.
      distance = (wanted - free - 1) % (span / size + 1) * size
    }
    return isUp ? range.lowerBound + distance : range.upperBound - distance
  }

  /// The value at `position` of `travel`: both ends map to both ends. nil if the range has not two ends.
  func value(at position: Int32, of travel: ClosedRange<Int32>, inverted: Bool) -> Int64? {
    guard let minimum, let maximum, travel.lowerBound < travel.upperBound else { return nil }
    let position = Int64(min(max(position, travel.lowerBound), travel.upperBound))
    let length = UInt64(Int64(travel.upperBound) - Int64(travel.lowerBound))
    let way = UInt64(inverted ? Int64(travel.upperBound) - position : position - Int64(travel.lowerBound))
    // Rounded to nearest; the product may need more than 64 bits, the quotient does not.
    let product = way.multipliedFullWidth(by: UInt64(maximum - minimum))
    let (low, carried) = product.low.addingReportingOverflow(length / 2)
    let (quotient, _) = length.dividingFullWidth((product.high + (carried ? 1 : 0), low))
    return min(minimum + Int64(quotient), maximum)
  }
}
