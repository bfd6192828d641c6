import StepperCore
import StepperLinux

/// Detects that the daemon could not run, and that the machine slept (rules 8 and 10 of the engine's contract).
struct Interruptions {
  /// The difference between the clock that counts sleep and the one that does not. It grows while the machine sleeps.
  private var timeAsleep = Instant.nowSinceBoot - .now
  /// The number of stalls.
  private(set) var stalls: Int64 = 0

  /// Work that is done later than its deadline by more than this time has been stalled.
  static let stallTolerance = Duration.milliseconds(250)
  /// More than the usual variation of the difference of the clocks.
  private static let sleepTolerance = Duration.milliseconds(500)

  private static func isStall(since due: Instant, at now: Instant) -> Bool { now - due > stallTolerance }

  /// The end at `now` of a lease that was to end at `lease`. If a stall has delayed this, the client, which may have
  /// stalled with the machine, has ``stallTolerance`` for a renewal.
  static func end(of lease: Instant, at now: Instant) -> Instant {
    isStall(since: lease, at: now) ? now + stallTolerance : lease
  }

  /// How late a wakeup at `now` does the work that was due at `deadline`; nil: that is not a stall. The wakeup may have
  /// set the deadline itself, for a press that was waiting.
  static func lateness(of deadline: Instant, at now: Instant) -> Duration? {
    isStall(since: deadline, at: now) ? now - deadline : nil
  }

  mutating func noteStall() { stalls += 1 }

  /// The time that the machine slept since the last call, if it did. Call it when the wall clock has moved.
  mutating func sleep(at now: Instant) -> Duration? {
    let former = timeAsleep
    timeAsleep = Instant.nowSinceBoot - now
    return timeAsleep - former > Self.sleepTolerance ? timeAsleep - former : nil
  }
}
