import StepperCore
import StepperSystem

/// Notices that the daemon could not run, or that the machine slept (rules 8 and 10 of the engine's contract).
struct Interruptions {
  /// When the engine wanted to be called next, as the loop was told.
  private var armed: Instant?
  /// When the work of the last wakeup ended. A wakeup that is late because of that work is no stall, unless the work took
  /// as long as a stall: then it was stopped in the middle.
  private var rested = Instant.now
  /// Grows while the machine sleeps.
  private var timeAsleep = Instant.nowSinceBoot - .now
  /// How many stalls there were.
  private(set) var stalls: Int64 = 0

  /// A wakeup this long after its deadline is a stall.
  private static let stallTolerance = Duration.milliseconds(250)
  /// More than clocks differ by themselves.
  private static let sleepTolerance = Duration.milliseconds(500)

  /// How late the wakeup at `now` is, if it is a stall; `deadline` is the engine's.
  mutating func stall(at now: Instant, deadline: Instant?) -> Duration? {
    guard let armed, deadline == armed else { return nil }
    let lateness = now - max(armed, rested)
    guard lateness > Self.stallTolerance else { return nil }
    stalls += 1
    return lateness
  }

  /// How long the machine slept since the last call, if it did.
  mutating func sleep(at now: Instant) -> Duration? {
    let former = timeAsleep
    timeAsleep = Instant.nowSinceBoot - now
    return timeAsleep - former > Self.sleepTolerance ? timeAsleep - former : nil
  }

  /// The work of the wakeup at `now` is done; the engine wants to be called at `deadline`.
  mutating func rest(at now: Instant, deadline: Instant?) {
    armed = deadline
    rested = min(.now, now + Self.stallTolerance)
  }
}
