package import StepperCore

/// The clock of bridges. It is the same as that of the loop: both are `CLOCK_MONOTONIC`.
package enum BridgeClock {
  private static let origin = SuspendingClock.Instant.now

  package static func instant(_ instant: Instant) -> SuspendingClock.Instant {
    origin.advanced(by: .nanoseconds(instant.nanoseconds))
  }

  package static func instant(_ instant: SuspendingClock.Instant) -> Instant {
    Instant(nanoseconds: origin.duration(to: instant).nanoseconds)
  }
}

extension Retry {
  /// The schedule of attempts to connect an outside. The first attempt is due at once.
  package static let ofOutside = Retry(
    shortestPause: .milliseconds(250), longestPause: .seconds(30), stableAfter: .seconds(10),
    firstAt: .distantPast)
}
