import StepperCore

/// The time budget for repeats in a wakeup. The first portion is not measured: most wakeups have only a few repeats.
struct RepeatBudget {
  private var budget = WorkBudget(WakeupTime.repeating)
  private var unmeasured = Self.portion
  private var began: Instant?
  /// When repeats were last slower than configured.
  private var slowed: Instant?

  /// The number of pieces of work between two readings of the clock.
  private static let portion: Int64 = 64
  /// Slow repeats are reported again after this time without any.
  private static let quiet = Duration.seconds(60)

  var isSpent: Bool { budget.isSpent }

  /// The size of the next portion.
  var portion: Int64 { max(unmeasured, 1) }

  /// A new wakeup begins.
  mutating func renew() {
    budget.renew()
    (unmeasured, began) = (Self.portion, nil)
  }

  /// A portion of `count` pieces of work was done; `clock` gives the time.
  mutating func spend(_ count: Int64, _ clock: () -> Instant) {
    unmeasured -= count
    guard unmeasured <= 0 else { return }
    let end = clock()
    if let began { budget.spend(end - began) }
    (unmeasured, began) = (Self.portion, end)
  }

  /// Records that repeats were postponed at `now`. Returns whether to report it.
  mutating func noteSlow(at now: Instant) -> Bool {
    defer { slowed = now }
    return slowed.map { now - $0 >= Self.quiet } ?? true
  }
}
