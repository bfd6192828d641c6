internal import Glibc
package import StepperCore

extension Instant {
  /// `CLOCK_MONOTONIC`, now. It stands still while the machine sleeps.
  package static var now: Instant { Instant(CLOCK_MONOTONIC) }

  /// `CLOCK_BOOTTIME`, now. It goes on while the machine sleeps, and is otherwise the same.
  package static var nowSinceBoot: Instant { Instant(CLOCK_BOOTTIME) }

  private init(_ clock: clockid_t) {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    self.init(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}

extension Instant {
  /// When a timer expires that was set to this: at once for what is past, since zero would disarm it, and as late as
  /// the system can say for what does not fit, which is 2038 where seconds have 32 bits.
  var untilTimer: timespec {
    let nanoseconds = max(nanoseconds, 1)
    // The type of the nanoseconds is the system's `long`; they are fewer than 10^9.
    return timespec(
      tv_sec: time_t(clamping: nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
