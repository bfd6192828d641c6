/// A point on the engine's timeline.
///
/// In the daemon this is the kernel's `CLOCK_MONOTONIC`, the clock of evdev's time stamps; in tests the test provides
/// it. Arithmetic saturates at ``distantPast`` and ``distantFuture``: a time beyond them means "never", and no number
/// from a client or a configuration can overflow it.
package struct Instant: Comparable, Hashable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Later than everything that happens: a deadline at this instant is never due.
  package static let distantFuture = Instant(nanoseconds: .max)
  package static let distantPast = Instant(nanoseconds: .min)

  /// Microseconds are the unit of times on the wire and of evdev's time stamps.
  package static func microseconds(_ microseconds: Int64) -> Instant {
    Instant(nanoseconds: microseconds.multipliedSaturating(by: 1_000))
  }

  package static func milliseconds(_ milliseconds: Int64) -> Instant {
    Instant(nanoseconds: milliseconds.multipliedSaturating(by: 1_000_000))
  }

  package static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  package static func + (instant: Instant, duration: Duration) -> Instant {
    Instant(nanoseconds: instant.nanoseconds.addingSaturating(duration.nanoseconds))
  }

  /// The earlier of two deadlines; nil means that there is none.
  package static func earliest(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  /// The time from `earlier` to `later`; negative if `later` is before `earlier`.
  package static func - (later: Instant, earlier: Instant) -> Duration {
    .nanoseconds(later.nanoseconds(since: earlier))
  }

  /// The same in nanoseconds, which costs only a subtraction.
  package func nanoseconds(since earlier: Instant) -> Int64 {
    nanoseconds.subtractingSaturating(earlier.nanoseconds)
  }
}

extension Duration {
  /// The whole nanoseconds of this duration, rounded toward zero; the nearest `Int64` if they do not fit (292 years).
  package var nanoseconds: Int64 {
    // A duration of less than nine seconds fits in 64 bits, where a division costs a tenth as much.
    if let short = Int64(exactly: attoseconds) { return short / 1_000_000_000 }
    return Int64(clamping: attoseconds / 1_000_000_000)
  }

  /// The whole milliseconds, rounded toward zero.
  package var milliseconds: Int64 { nanoseconds / 1_000_000 }
}

extension Int64 {
  /// The sum, or the end of the range if the sum does not fit.
  package func addingSaturating(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return self < 0 ? .min : .max
  }

  /// The difference, or the end of the range if the difference does not fit.
  package func subtractingSaturating(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    guard overflow else { return difference }
    return self < 0 ? .min : .max
  }

  /// The product, or the end of the range if the product does not fit.
  package func multipliedSaturating(by other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    guard overflow else { return product }
    return (self < 0) == (other < 0) ? .max : .min
  }
}
