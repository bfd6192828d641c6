/// How often a thread looks at its outside while that says all the time that it has changed: the first time at once, and
/// then again after 10 ms, so that nobody outside determines what it costs.
package struct LookPace {
  package static let interval = Duration.milliseconds(10)

  private var last: SuspendingClock.Instant?

  package init() {}

  package mutating func looked(at now: SuspendingClock.Instant = .now) { last = now }

  /// The time to the next look, in milliseconds as for poll(2); nil: it may be now.
  package func pause(at now: SuspendingClock.Instant = .now) -> Int32? {
    guard let last else { return nil }
    let left = Self.interval - last.duration(to: now)
    return left > .zero ? Int32(clamping: Int64(left / .milliseconds(1)) + 1) : nil
  }
}
