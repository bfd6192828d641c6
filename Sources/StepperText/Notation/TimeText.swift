package import StepperCore

/// Times in the notation: `12.345ms` or `2s` since the beginning.
package enum TimeText {
  /// Milliseconds with as many decimal places as are needed, down to a nanosecond.
  package static func text(_ time: Instant) -> String {
    "\(FixedPoint(units: time.nanoseconds, digits: 6).normalized)ms"
  }

  /// Reads a time of 0 or more.
  package static func read(_ word: some StringProtocol) throws(NotationError) -> Instant {
    guard let duration = duration(word), duration.nanoseconds >= 0 else {
      throw NotationError(
        "\(NotationError.quoted(word)) is no time; a time is milliseconds or seconds since the beginning, "
          + "as 12.345ms or 2s")
    }
    return Instant(nanoseconds: duration.nanoseconds)
  }

  /// Reads a duration, which may be negative; nil if `word` is none, or is longer than 292 years.
  static func duration(_ word: some StringProtocol) -> Duration? {
    let isMilliseconds = word.hasSuffix("ms")
    guard isMilliseconds || word.hasSuffix("s"), word.utf8.count <= 40,
      let number = FixedPoint(word.dropLast(isMilliseconds ? 2 : 1))
    else { return nil }
    let places = isMilliseconds ? 6 : 9
    let scaled = number.rescaled(to: places)
    // The number must not have been rounded or saturated.
    guard scaled == number else { return nil }
    return .nanoseconds(scaled.units)
  }
}
