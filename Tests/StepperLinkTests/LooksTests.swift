import Testing
import stepperd_link

@Suite struct LookPaceTests {
  @Test func `a look is at once, and the next one after the interval, however much happens`() {
    var pace = LookPace()
    let start = SuspendingClock.now
    var looks = 0
    for microseconds in stride(from: 0, to: 1_000_000, by: 100) {
      let now = start.advanced(by: .microseconds(microseconds))
      guard pace.pause(at: now) == nil else { continue }
      looks += 1
      pace.looked(at: now)
    }
    #expect(looks == 100)
    #expect(pace.pause(at: start.advanced(by: .milliseconds(990))) == 11)
    #expect(pace.pause(at: start.advanced(by: .seconds(2))) == nil)
    #expect(
      pace.pause(at: start.advanced(by: .seconds(-1))) != nil, "a clock never runs backwards, and is no trap")
  }
}
