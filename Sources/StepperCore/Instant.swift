/// A point on the timeline the engine lives on.
///
/// In the daemon this is the kernel's `CLOCK_MONOTONIC`, the clock evdev stamps events with;
/// in tests it is whatever the test says it is.
package struct Instant: Comparable, Hashable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  package static func milliseconds(_ milliseconds: Int64) -> Instant {
    Instant(nanoseconds: milliseconds * 1_000_000)
  }

  package static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  package static func + (instant: Instant, duration: Duration) -> Instant {
    Instant(nanoseconds: instant.nanoseconds + duration.nanoseconds)
  }

  package static func - (later: Instant, earlier: Instant) -> Duration {
    .nanoseconds(later.nanoseconds - earlier.nanoseconds)
  }
}

extension Duration {
  /// The whole nanoseconds of this duration, rounded toward zero.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
