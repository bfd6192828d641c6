internal import Glibc
package import StepperCore

extension Instant {
  /// The present time of `CLOCK_MONOTONIC`, which stops while the machine sleeps.
  package static var now: Instant { Instant(CLOCK_MONOTONIC) }

  /// The present time of `CLOCK_BOOTTIME`, which continues while the machine sleeps.
  package static var nowSinceBoot: Instant { Instant(CLOCK_BOOTTIME) }

  private init(_ clock: clockid_t) {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    self.init(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}

extension Instant {
  /// The expiration for a timer. Past instants expire at once, because zero would disarm the timer; instants that
  /// cannot be represented become the latest possible one, which is 2038 with 32-bit seconds.
  var untilTimer: timespec {
    let nanoseconds = max(nanoseconds, 1)
    // The nanoseconds have the system's type `long`; they are fewer than 10^9.
    return timespec(
      tv_sec: time_t(clamping: nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}

/// `CLOCK_REALTIME` minus `CLOCK_MONOTONIC` in microseconds: added to a time of the daemon, it gives the time of day.
package func realtimeOffsetMicroseconds() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000 - Instant.now.nanoseconds / 1_000
}

/// `now` as seconds since 1970.
package func realtimeSeconds(at now: Instant) -> Int64 {
  (now.nanoseconds / 1_000 + realtimeOffsetMicroseconds()) / 1_000_000
}
