import StepperCore
import Testing

@testable import StepperDaemon

@MainActor @Suite struct StormGaugeTests {
  /// Plays a device that sends `rate` frames a second for `duration`, read each millisecond; from then on it
  /// is quiet until nothing is left to say.
  private func play(
    rate: Int64, events: Int64 = 3, for duration: Duration, with gauge: inout StormGauge
  ) -> (read: Int64, actions: [StormGauge.Action]) {
    var (read, actions) = (Int64(0), [StormGauge.Action]())
    var now = Instant.milliseconds(1)
    let end = now + duration
    while now < end || gauge.deadline != nil {
      if let action = gauge.advance(to: now) { actions.append(action) }
      if now < end, !gauge.isPaused {
        read += rate / 1_000
        if let action = gauge.note(frames: rate / 1_000, events: events * rate / 1_000, at: now) {
          actions.append(action)
        }
      }
      now = now + .milliseconds(1)
    }
    return (read, actions)
  }

  @Test(arguments: [(1_000, 3), (2_000, 3), (4_000, 4), (1_000, 12)] as [(Int64, Int64)])
  func `the fastest devices are never stopped`(_ rate: Int64, _ events: Int64) {
    var gauge = StormGauge()
    let result = play(rate: rate, events: events, for: .seconds(60), with: &gauge)
    #expect(result.actions.isEmpty && result.read == rate * 60)
  }

  @Test(arguments: [8_000, 100_000, 10_000_000] as [Int64])
  func `a storm costs no more than the highest rate, and is one storm`(_ rate: Int64) {
    var gauge = StormGauge()
    let result = play(rate: rate, for: .seconds(20), with: &gauge)
    // One wakeup may exceed it, and pays for that by a longer pause.
    #expect(result.read <= 4_000 * 21 + rate / 1_000)
    #expect(result.actions.count { $0 == .pause(isNew: true) } == 1)
    guard case .ended(let storm) = result.actions.last else {
      Issue.record("the storm never ended: \(result.actions.suffix(2))")
      return
    }
    #expect(storm.frames <= result.read && storm.pauses >= 3)
    #expect(gauge == StormGauge() || gauge.storm == nil)
  }

  @Test func `large frames count for what they are`() {
    var gauge = StormGauge()
    let result = play(rate: 1_000, events: 1_000, for: .seconds(10), with: &gauge)
    #expect(result.read * 1_000 <= 16_000 * 11 + 1_000)
  }

  @Test func `a device that goes on at a decent rate after a storm is read without pause`() {
    var gauge = StormGauge()
    var now = Instant.milliseconds(0)
    #expect(gauge.note(frames: 10_000, events: 20_000, at: now) == .pause(isNew: true))
    var actions: [StormGauge.Action] = []
    for _ in 0..<10_000 {
      now = now + .milliseconds(1)
      if let action = gauge.advance(to: now) { actions.append(action) }
      guard !gauge.isPaused else { continue }
      if let action = gauge.note(frames: 1, events: 3, at: now) { actions.append(action) }
    }
    guard case .ended = actions.last else {
      Issue.record("\(actions)")
      return
    }
  }

  @Test func `what comes during a pause makes it no longer`() throws {
    var gauge = StormGauge()
    let start = Instant(nanoseconds: 0)
    while gauge.note(frames: 64, events: 128, at: start) == nil {}
    let due = try #require(gauge.deadline)
    for _ in 0..<100_000 { #expect(gauge.note(frames: 64, events: 128, at: start) == nil) }
    #expect(gauge.deadline == due && gauge.advance(to: due) == .resume)
    _ = gauge.note(frames: 64, events: 128, at: due)
    #expect(gauge.deadline.map { $0 - due <= .seconds(1) } ?? false)
  }
}
