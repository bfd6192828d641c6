import StepperCore
import StepperLinux

/// Detects that the daemon could not run, and that the machine slept (rules 8 and 10 of the engine's contract).
struct Interruptions {
  /// The deadline of the engine with which the loop waits.
  private var armed: Instant?
  /// The last wakeup.
  private var lastWakeup = Instant.now
  /// The difference of the clocks, which grows while the machine sleeps.
  private var timeAsleep = Instant.nowSinceBoot - .now
  /// The number of stalls.
  private(set) var stalls: Int64 = 0

  /// A wakeup that is later than its deadline by this time is a stall.
  private static let stallTolerance = Duration.milliseconds(250)
  /// More than the usual difference of the clocks.
  private static let sleepTolerance = Duration.milliseconds(500)

  /// Whether the daemon could not run when a lease was to end: what has arrived meanwhile counts before.
  static func isStall(since end: Instant, at now: Instant) -> Bool { now - end > stallTolerance }

  /// The delay of the wakeup at `now`, if it is a stall; `deadline` is that of the engine.
  mutating func stall(at now: Instant, deadline: Instant?) -> Duration? {
    guard let armed, deadline == armed else { return nil }
    let lateness = now - max(armed, lastWakeup)
    guard lateness > Self.stallTolerance else { return nil }
    stalls += 1
    return lateness
  }

  /// The time that the machine slept since the last call, if it did. Call it when the wall clock has moved.
  mutating func sleep(at now: Instant) -> Duration? {
    let former = timeAsleep
    timeAsleep = Instant.nowSinceBoot - now
    return timeAsleep - former > Self.sleepTolerance ? timeAsleep - former : nil
  }

  /// Call it at the end of a wakeup; `deadline` is the next one of the engine.
  mutating func endWakeup(at now: Instant, deadline: Instant?) { (armed, lastWakeup) = (deadline, now) }
}
