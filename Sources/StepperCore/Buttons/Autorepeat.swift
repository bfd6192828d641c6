/// Repeats while a button is held, each at its own absolute deadline, so that delays do not add up.
///
/// The kernel's own autorepeat is ignored: most boards have none, and its pace is not the control's.
struct Autorepeat: Hashable, Sendable {
  private let schedule: RepeatSchedule
  private var pressed: Instant
  /// When the next repeat is due.
  private(set) var deadline: Instant

  init(_ schedule: RepeatSchedule, pressedAt now: Instant) {
    self.schedule = schedule
    pressed = now
    deadline = now + schedule.delay
  }

  /// Schedules the next repeat after the one that was due.
  mutating func fire() {
    deadline = deadline + schedule.interval(at: deadline - pressed)
  }

  /// Moves the schedule by `duration`.
  mutating func skip(_ duration: Duration) {
    pressed = pressed + duration
    deadline = deadline + duration
  }
}
