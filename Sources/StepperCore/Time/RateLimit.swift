/// How often something may happen: `burst` times at once, and once more for each `interval` after that. A value
/// without a clock: the caller gives the time.
///
/// It stores one instant, at which the whole burst is available again (the generic cell rate algorithm, ITU-T I.371),
/// so that nothing is rounded.
package struct RateLimit: Hashable, Sendable {
  /// In nanoseconds.
  private let interval: Int64
  private let burst: Int64
  /// When the whole burst is available.
  private var full = Instant.distantPast

  /// `every` is the interval at the steady rate, at least a nanosecond; `burst` is at least 1.
  package init(every interval: Duration, burst: Int) {
    (self.interval, self.burst) = (max(1, interval.nanoseconds), max(1, Int64(clamping: burst)))
  }

  /// Takes one event of the limit; false: none is available at `now`, and nothing is taken.
  package mutating func take(at now: Instant) -> Bool {
    guard allows(at: now) else { return false }
    full = max(full, now) + .nanoseconds(interval)
    return true
  }

  /// Takes one event, if necessary in advance, and returns the time to wait until it is available.
  package mutating func reserve(at now: Instant) -> Duration {
    let wait = max(.zero, next - now)
    full = max(full, now) + .nanoseconds(interval)
    return wait
  }

  /// Gives back a reserved event that nobody waits for any more: later reservations come earlier.
  package mutating func giveBack(at now: Instant) {
    guard full > now else { return }
    full = full + .nanoseconds(-interval)
  }

  /// Whether an event is available at `now`.
  package func allows(at now: Instant) -> Bool { next <= now }

  /// When an event is available again; not after the present time if one is available.
  package var next: Instant {
    let saved = (burst - 1).multipliedSaturating(by: interval)
    return Instant(nanoseconds: full.nanoseconds.addingSaturating(-saved))
  }

  /// The time until the whole burst is available: the more was taken, the longer it is.
  package func debt(at now: Instant) -> Duration { max(.zero, full - now) }
}

/// The same limit for each of many keys, such as addresses.
///
/// It keeps at most `capacity` keys, and first forgets the keys that have taken least. So even with many keys, a key
/// that has used up its burst does not get it back.
package struct RateLimits<Key: Hashable & Sendable>: Sendable {
  private let fresh: RateLimit
  private let capacity: Int
  private var limits: [Key: RateLimit] = [:]

  package init(_ limit: RateLimit, capacity: Int = 1024) {
    (fresh, self.capacity) = (limit, max(1, capacity))
  }

  /// The number of keys that are stored.
  package var count: Int { limits.count }

  /// Takes one event for `key`; false: none is available at `now`.
  package mutating func take(_ key: Key, at now: Instant) -> Bool {
    var limit = limits[key] ?? fresh
    guard limit.take(at: now) else { return false }
    limits[key] = limit
    if limits.count > capacity { forget(at: now) }
    return true
  }

  /// Takes one event for `key`, if necessary in advance, and returns the time to wait until it is available.
  package mutating func reserve(_ key: Key, at now: Instant) -> Duration {
    let wait = limits[key, default: fresh].reserve(at: now)
    if limits.count > capacity { forget(at: now) }
    return wait
  }

  /// Gives back a reserved event of `key`.
  package mutating func giveBack(_ key: Key, at now: Instant) { limits[key]?.giveBack(at: now) }

  /// Whether an event is available for `key` at `now`.
  package func allows(_ key: Key, at now: Instant) -> Bool { (limits[key] ?? fresh).allows(at: now) }

  /// Forgets half of the keys at once, so that the cost for each new key is low.
  private mutating func forget(at now: Instant) {
    let debts = limits.map { ($0.key, $0.value.debt(at: now)) }.sorted { $0.1 > $1.1 }
    for (key, _) in debts.dropFirst(capacity / 2) { limits[key] = nil }
  }
}
