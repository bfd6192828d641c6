import Glibc

/// How long this thread has had a processor: what a call costs, however busy the machine is.
package func processorTime() -> Duration {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
}

/// How long another process has had a processor; zero if it is gone.
package func processorTime(of process: Int32) -> Duration {
  var clock = clockid_t()
  var time = timespec()
  guard unsafe clock_getcpuclockid(process, &clock) == 0, unsafe clock_gettime(clock, &time) == 0 else {
    return .zero
  }
  return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
}
