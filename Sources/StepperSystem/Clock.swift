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
