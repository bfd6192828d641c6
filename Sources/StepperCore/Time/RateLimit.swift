/// How often something may happen: `burst` times at once, and once more for each `interval` after that. A value without a
/// clock: the caller gives the time.
///
/// It keeps one instant, at which the whole burst is available again (the generic cell rate algorithm, ITU-T I.371), so
/// that nothing is rounded.
package struct RateLimit: Hashable, Sendable {
  /// In nanoseconds.
  private let interval: Int64
  private let burst: Int64
  /// When the whole burst is available.
  private var full = Instant.distantPast

  /// `every` is the interval at the steady rate, at least a nanosecond; `burst` at least 1.
  package init(every interval: Duration, burst: Int) {
    (self.interval, self.burst) = (max(1, interval.nanoseconds), max(1, Int64(clamping: burst)))
  }

  /// Takes one; false: there is none at `now`, and nothing is taken.
  package mutating func take(at now: Instant) -> Bool {
    guard allows(at: now) else { return false }
    full = max(full, now) + .nanoseconds(interval)
    return true
  }

  /// Takes one, or the next that there will be, and returns in how long that is.
  package mutating func reserve(at now: Instant) -> Duration {
    let wait = max(.zero, next - now)
    full = max(full, now) + .nanoseconds(interval)
    return wait
  }

  /// Gives back one that was reserved and that nobody waits for any more: those that are reserved later come earlier.
  package mutating func giveBack(at now: Instant) {
    guard full > now else { return }
    full = full + .nanoseconds(-interval)
  }

  /// Whether there is one at `now`.
  package func allows(at now: Instant) -> Bool { next <= now }

  /// When there is one again; in the past if there is one.
  package var next: Instant {
    let saved = (burst - 1).multipliedSaturating(by: interval)
    return Instant(nanoseconds: full.nanoseconds.addingSaturating(-saved))
  }

  /// The time until the whole burst is available: the longer it is, the more was taken.
  package func debt(at now: Instant) -> Duration { max(.zero, full - now) }
}

/// The same limit for each of many keys, such as addresses.
///
/// It keeps at most `capacity` keys, and forgets first those that have taken least: with many keys, one that has used up
/// its burst does not get it back.
package struct RateLimits<Key: Hashable & Sendable>: Sendable {
  private let fresh: RateLimit
  private let capacity: Int
  private var limits: [Key: RateLimit] = [:]

  package init(_ limit: RateLimit, capacity: Int = 1024) {
    (fresh, self.capacity) = (limit, max(1, capacity))
  }

  /// How many keys are kept.
  package var count: Int { limits.count }

  /// Takes one of `key`; false: there is none at `now`.
  package mutating func take(_ key: Key, at now: Instant) -> Bool {
    var limit = limits[key] ?? fresh
    guard limit.take(at: now) else { return false }
    limits[key] = limit
    if limits.count > capacity { forget(at: now) }
    return true
  }

  /// Takes one of `key`, or the next that there will be, and returns in how long that is.
  package mutating func reserve(_ key: Key, at now: Instant) -> Duration {
    let wait = limits[key, default: fresh].reserve(at: now)
    if limits.count > capacity { forget(at: now) }
    return wait
  }

  /// Gives back one of `key` that was reserved.
  package mutating func giveBack(_ key: Key, at now: Instant) { limits[key]?.giveBack(at: now) }

  /// Whether there is one of `key` at `now`.
  package func allows(_ key: Key, at now: Instant) -> Bool { (limits[key] ?? fresh).allows(at: now) }

  /// Half of them, so that it costs little for each key.
  private mutating func forget(at now: Instant) {
    let debts = limits.map { ($0.key, $0.value.debt(at: now)) }.sorted { $0.1 > $1.1 }
    for (key, _) in debts.dropFirst(capacity / 2) { limits[key] = nil }
  }
}
