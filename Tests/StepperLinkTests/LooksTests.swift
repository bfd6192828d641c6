import StepperCore
import Testing

@testable import stepperd_link

@Suite struct LooksTests {
  @Test func `a look is at once, and the next one after the interval, however much happens`() {
    var limit = RateLimit.looks
    var looks = 0
    for microseconds in stride(from: Int64(0), to: 1_000_000, by: 100) {
      let now = Instant(nanoseconds: microseconds * 1_000)
      guard limit.pause(at: now) == nil else { continue }
      looks += 1
      _ = limit.take(at: now)
    }
    #expect(looks == 100)
    #expect(limit.pause(at: .milliseconds(990)) == 11)
    #expect(limit.pause(at: .milliseconds(2_000)) == nil)
    #expect(limit.pause(at: .milliseconds(-1_000)) != nil, "a clock never runs backwards, and is no trap")
  }
}
