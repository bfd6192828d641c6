/// How often each address may do something: a rate, and a burst that it may have saved up. A value without clock.
struct RateLimit {
  typealias Instant = ContinuousClock.Instant

  /// Of how many addresses it is remembered. Of more, the half that has saved up most is forgotten.
  private static let addressLimit = 1024

  private let perSecond: Double
  private let burst: Double
  private var left: [String: (count: Double, at: Instant)] = [:]

  init(perSecond: Double, burst: Double) { (self.perSecond, self.burst) = (perSecond, burst) }

  /// Takes one from what `address` may do; false: it may not.
  mutating func take(_ address: String, at now: Instant) -> Bool {
    let count = available(address, at: now)
    guard count >= 1 else { return false }
    left[address] = (count - 1, now)
    if left.count > Self.addressLimit { forget(at: now) }
    return true
  }

  /// Whether `address` may do it now.
  func allows(_ address: String, at now: Instant) -> Bool { available(address, at: now) >= 1 }

  private func available(_ address: String, at now: Instant) -> Double {
    guard let (count, before) = left[address] else { return burst }
    let passed = before.duration(to: now) / .seconds(1)
    return min(burst, count + max(0, passed) * perSecond)
  }

  private mutating func forget(at now: Instant) {
    let counts = left.keys.map { ($0, available($0, at: now)) }.sorted { $0.1 < $1.1 }
    for (address, _) in counts.dropFirst(Self.addressLimit / 2) { left[address] = nil }
  }
}
