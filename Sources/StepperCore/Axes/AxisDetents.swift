/// The detents of a knob that makes its own, one for each step of a control: numbered from the lower end of the
/// control's range, or from 0 if the range has none; clockwise is positive.
package struct AxisDetents: Hashable, Sendable {
  /// The number of the detent at the value, or of the nearest one.
  package var position: Int64
  /// The last detents in each direction; nil: there is no end.
  package var minimum: Int64?
  package var maximum: Int64?
  /// Whether a step past one end leads to the other.
  package var wraps: Bool

  private static let largest = 2 * ValueRange.largestMagnitude

  package init(position: Int64, minimum: Int64?, maximum: Int64?, wraps: Bool) {
    (self.position, self.minimum, self.maximum) = (position, minimum, maximum)
    self.wraps = wraps
  }

  /// Whether the value is at an end, with no further detent in one direction.
  package var isAtEnd: Bool { !wraps && (position == minimum || position == maximum) }

  /// The detents of a knob that counts counterclockwise.
  var mirrored: Self {
    Self(position: -position, minimum: maximum.map { -$0 }, maximum: minimum.map { -$0 }, wraps: wraps)
  }

  /// The position of the knob after it was turned from here.
  package func turned(by detents: Int64) -> Self {
    var result = self
    let target = max(min(position.addingSaturating(detents), Self.largest), -Self.largest)
    if wraps, let minimum, let maximum, minimum < maximum {
      let count = maximum - minimum + 1
      let place = (target - minimum) % count
      result.position = minimum + (place < 0 ? place + count : place)
    } else {
      result.position = max(min(target, maximum ?? .max), minimum ?? .min)
    }
    return result
  }
}

extension ControlRules {
  /// The detents of a knob with one detent per step of `size` units, at the value `units`.
  func detents(at units: Int64, size: Int64) -> AxisDetents {
    let origin = range.minimum ?? range.maximum ?? 0
    let position = nearest(units - origin, size)
    // With advisory bounds, steps can go past both ends.
    guard feel.bounds != .advisory || wraps else {
      return AxisDetents(position: position, minimum: nil, maximum: nil, wraps: false)
    }
    let minimum: Int64? = range.minimum == nil ? nil : 0
    guard let end = range.isInverted ? range.minimum : range.maximum else {
      return AxisDetents(
        position: max(position, minimum ?? .min), minimum: minimum, maximum: nil, wraps: false)
    }
    // The last step to the end may be a partial one.
    let wrapsEarly = wraps && feel.wrapWhen == .exceed
    let hasPartialStep = feel.partialStep != .refuse && feel.snapping != .always && !wrapsEarly
    let (whole, rest) = (end - origin).quotientAndRemainder(dividingBy: size)
    let maximum = rest > 0 && hasPartialStep ? whole + 1 : whole
    let isAtEnd = units >= end
    return AxisDetents(
      position: isAtEnd ? maximum : max(min(position, maximum), minimum ?? .min), minimum: minimum,
      maximum: maximum, wraps: wraps)
  }

  private func nearest(_ distance: Int64, _ size: Int64) -> Int64 {
    let (quotient, rest) = distance.quotientAndRemainder(dividingBy: size)
    guard rest.magnitude >= UInt64(size) - rest.magnitude else { return quotient }
    return quotient + (distance < 0 ? -1 : 1)
  }
}
