/// The values of a range, in integer arithmetic on units of 10^−digits.
///
/// Nothing here overflows: every number is kept within ±``largestMagnitude``.
struct ValueRange: Hashable, Sendable {
  /// Decimal places of all numbers here.
  let digits: Int
  /// nil: unbounded on that side.
  let minimum: Int64?
  /// Less than the minimum only if the control's range conflict allows it; then every value is the minimum.
  let maximum: Int64?
  let step: Int64
  let page: Int64

  /// Values saturate here: sums and differences of two such numbers still fit in 64 bits.
  static let largestMagnitude: Int64 = 1 << 61

  /// Steps and pages are raised to at least one unit.
  init(_ settings: ControlSettings) {
    let digits = settings.precision
    func units(_ number: FixedPoint) -> Int64 { Self.units(of: number, digits: digits) }
    self.digits = digits
    minimum = settings.minimumValue.map(units)
    maximum = settings.maximumValue.map(units)
    step = max(units(settings.stepValue), 1)
    page = max(units(settings.pageIncrement), 1)
  }

  func units(of number: FixedPoint) -> Int64 { Self.units(of: number, digits: digits) }

  private static func units(of number: FixedPoint, digits: Int) -> Int64 {
    min(max(number.rescaled(to: digits).units, -largestMagnitude), largestMagnitude)
  }

  func number(_ units: Int64) -> FixedPoint { FixedPoint(units: units, digits: digits) }

  func clamp(_ value: Int64) -> Int64 {
    max(min(value, maximum ?? Self.largestMagnitude), minimum ?? -Self.largestMagnitude)
  }

  func contains(_ value: Int64) -> Bool { clamp(value) == value }

  func limit(of value: Int64) -> Limit {
    switch (minimum.map { value <= $0 } ?? false, maximum.map { value >= $0 } ?? false) {
    case (true, true): .both
    case (true, false): .minimum
    case (false, true): .maximum
    case (false, false): .none
    }
  }

  /// Both bounds, if there are two with room between them.
  var span: ClosedRange<Int64>? {
    guard let minimum, let maximum, minimum < maximum else { return nil }
    return minimum...maximum
  }

  /// Whether the minimum exceeds the maximum, so that every value is the minimum.
  var isInverted: Bool {
    guard let minimum, let maximum else { return false }
    return minimum > maximum
  }

  /// The number of steps between the bounds; nil without a ``span``.
  var stepCount: Int64? { span.map { ($0.upperBound - $0.lowerBound) / step } }

  /// The nearest multiple of the step, counted from the minimum (or 0), ties up; clamped before and after.
  ///
  /// GtkSpinButton's snap_to_ticks: in 0…10 by 3, 4.5 goes to 6 and 11 to 9.
  func snapped(_ value: Int64) -> Int64 {
    let origin = minimum ?? 0
    let (quotient, remainder) = (clamp(value) - origin).quotientAndRemainder(dividingBy: step)
    let (tick, rest) = remainder < 0 ? (quotient - 1, remainder + step) : (quotient, remainder)
    return clamp(origin + (rest >= step - rest ? tick + 1 : tick) * step)
  }

  /// The step size `size` times `multiplier`, limited to ``largestMagnitude``.
  func multiplied(_ size: Int64, by multiplier: Int64) -> Int64 {
    min(size.multipliedSaturating(by: multiplier), Self.largestMagnitude)
  }

  /// The value at `position` of a `travel` that begins at 0: both ends map to both bounds. nil without a ``span``.
  func value(at position: Int64, of travel: Int64, _ taper: Taper) -> Int64? {
    guard let span, travel > 0 else { return nil }
    let length = Double(span.upperBound - span.lowerBound)
    let way =
      switch taper {
      // Rounds only once, where the product is exact.
      case .linear: Double(position) * length / Double(travel)
      case .logarithmic: taper.range(at: Double(position) / Double(travel)) * length
      }
    return clamp(span.lowerBound + (Int64(exactly: way.rounded()) ?? 0))
  }
}
