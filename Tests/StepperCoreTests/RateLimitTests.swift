import StepperCore
import TestSupport
import Testing

@Suite struct `A rate limit` {
  private func taken(_ count: Int, of limit: inout RateLimit, at now: Instant) -> Int {
    var taken = 0
    for _ in 0..<count where limit.take(at: now) { taken += 1 }
    return taken
  }

  @Test func `is a burst, then a rate`() {
    var limit = RateLimit(every: .milliseconds(20), burst: 100)
    #expect(taken(250, of: &limit, at: .milliseconds(0)) == 100)
    #expect(taken(250, of: &limit, at: .milliseconds(1_000)) == 50)
    #expect(taken(250, of: &limit, at: .milliseconds(60_000)) == 100, "no more than the burst is saved up")
  }

  @Test func `takes back what was reserved and is not waited for`() {
    var limit = RateLimit(every: .milliseconds(20), burst: 2)
    let waits = (0..<4).map { _ in limit.reserve(at: .milliseconds(0)) }
    #expect(waits == [.zero, .zero, .milliseconds(20), .milliseconds(40)])
    limit.giveBack(at: .milliseconds(10))
    #expect(limit.reserve(at: .milliseconds(10)) == .milliseconds(30))
    for _ in 0..<10 { limit.giveBack(at: .milliseconds(10)) }
    #expect(taken(5, of: &limit, at: .milliseconds(10)) == 2, "never more than the burst")
  }

  @Test func `names the instant at which there is one again`() {
    var limit = RateLimit(every: .milliseconds(20), burst: 3)
    #expect(limit.next < .milliseconds(5))
    _ = taken(3, of: &limit, at: .milliseconds(5))
    #expect(limit.next == .milliseconds(25))
    #expect(!limit.allows(at: .milliseconds(24)))
    #expect(limit.debt(at: .milliseconds(5)) == .milliseconds(60))
    #expect(taken(2, of: &limit, at: .milliseconds(25)) == 1)
  }

  @Test func `takes every time that there is`() {
    for (every, burst) in [(Duration.zero, 0), (.nanoseconds(1), .max), (.seconds(Int64.max), 2)] {
      var limit = RateLimit(every: every, burst: burst)
      for now in [Instant.distantPast, .milliseconds(0), .distantFuture, .milliseconds(1), .distantPast] {
        _ = limit.take(at: now)
        _ = (limit.next, limit.debt(at: now))
      }
    }
  }

  @Test(arguments: Seed.fresh(3))
  func `never allows more than the burst and the rate, whatever the times are`(_ seed: Seed) {
    var random = SeededGenerator(seed)
    var limit = RateLimit(every: .milliseconds(10), burst: 7)
    var (now, times) = (Int64(0), [Int64]())
    for _ in 0..<2_000 {
      now += Int64.random(in: 0...12, using: &random)
      if limit.take(at: .milliseconds(now)) { times.append(now) }
    }
    for begin in times.indices.dropLast(20) {
      let window = times[begin + 20] - times[begin]
      #expect(window >= (21 - 7) * 10, "21 from \(times[begin]) ms in \(window) ms")
    }
  }
}

@Suite struct `Rate limits of many keys` {
  @Test func `are each their own`() {
    var limits = RateLimits<String>(RateLimit(every: .seconds(1), burst: 2))
    let taken = ["a", "a", "a", "b"].map { limits.take($0, at: .milliseconds(0)) }
    #expect(taken == [true, true, false, true])
    #expect(limits.allows("a", at: .milliseconds(1_000)))
  }

  @Test func `do not forget who has used it up, however many there are`() {
    var limits = RateLimits<String>(RateLimit(every: .seconds(1), burst: 2), capacity: 64)
    for _ in 0..<2 { _ = limits.take("a", at: .milliseconds(0)) }
    for index in 0..<5_000 { _ = limits.take("\(index)", at: .milliseconds(0)) }
    #expect(!limits.allows("a", at: .milliseconds(0)))
    #expect(limits.count <= 64)
  }
}
