internal import CLinux
internal import Glibc
package import SystemPackage

/// Becomes readable when the wall clock was set, or when the machine has slept, which also moves the wall clock
/// against the monotonic clock. It costs nothing until then.
package struct ClockWatch: ~Copyable {
  private let timer: OwnedFileDescriptor

  package var rawDescriptor: CInt { timer.rawValue }

  package init() throws(Errno) {
    let timer = try OwnedFileDescriptor(
      timerfd_create(CLOCK_REALTIME, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK)))
    try Self.arm(timer.rawValue)
    self.timer = timer
  }

  /// Call this when the descriptor is readable, before comparing the clocks.
  package func acknowledge() throws(Errno) {
    var expirations: UInt64 = 0
    // The read fails with ECANCELED if the clock has moved; any other result means nothing.
    _ = unsafe read(timer.rawValue, &expirations, MemoryLayout<UInt64>.size)
    try Self.arm(timer.rawValue)
  }

  /// Arms a timer that never expires, and is cancelled when the clock moves.
  private static func arm(_ timer: CInt) throws(Errno) {
    let flags = CInt(TFD_TIMER_ABSTIME) | CInt(TFD_TIMER_CANCEL_ON_SET)
    var spec = itimerspec(it_interval: timespec(), it_value: timespec(tv_sec: time_t.max, tv_nsec: 0))
    let status = unsafe timerfd_settime(timer, flags, &spec, nil)
    // The clock has moved since the read. The timer is armed and reports it again.
    if status < 0, errno == ECANCELED { return }
    try Errno.check(status)
  }
}
