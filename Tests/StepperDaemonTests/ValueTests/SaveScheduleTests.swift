import StepperCore
import Testing

@testable import StepperDaemon

@MainActor @Suite struct SaveScheduleTests {
  private func schedule(after: Int = 2_000, interval: Int = 30_000) -> SaveSchedule {
    SaveSchedule(saveAfter: .milliseconds(after), saveInterval: .milliseconds(interval))
  }

  /// Changes every `step` milliseconds until `end`, with writes of `duration`; returns when writes began.
  private func writes(
    _ schedule: SaveSchedule, step: Int64, until end: Int64, duration: Int64 = 1, failing: Bool = false
  ) -> [Int64] {
    var schedule = schedule
    var begun: [Int64] = []
    var done: Int64?
    var change: Int64? = 0
    while let time = [done, change, schedule.deadline?.milliseconds].compactMap(\.self).min() {
      let now = Instant.milliseconds(time)
      if done == time {
        done = nil
        if failing { schedule.failed(at: now) } else { schedule.succeeded() }
      }
      if change == time {
        schedule.changed(at: now)
        change = time + step <= end ? time + step : nil
      }
      if let due = schedule.deadline, due <= now {
        schedule.began(at: now)
        begun.append(time)
        done = time + duration
      }
      if failing, begun.count > 12 { break }
    }
    return begun
  }

  @Test func `a turn of a knob is one write, some time after its last detent`() {
    #expect(schedule().deadline == nil && !schedule().isPending)
    #expect(writes(schedule(), step: 100, until: 900) == [2_900])
  }

  @Test func `turning without end is written all the same`() {
    #expect(writes(schedule(), step: 1_000, until: 100_000) == [30_000, 61_000, 92_000, 122_000])
    #expect(writes(schedule(after: 500, interval: 0), step: 100, until: 2_000) == [500, 1_100, 1_700, 2_300])
  }

  @Test(arguments: [(2_000, 30_000), (0, 1_000), (5_000, 0), (5_000, 1_000), (1_000, 1_000), (0, 0)])
  func `no change waits longer than the longer of both times, and no write follows too soon`(
    after: Int, interval: Int
  ) {
    for step: Int64 in [7, 70, 999, 1_001, 3_000] {
      let begun = writes(schedule(after: after, interval: interval), step: step, until: 10_000)
      let changes = Array(stride(from: Int64(0), through: 10_000, by: Int64.Stride(step)))
      let waits = changes.map { time in begun.first { $0 >= time }.map { $0 - time } ?? .max }
      #expect(waits.allSatisfy { $0 <= Int64(max(after, interval)) }, "\(step)")
      let distances = zip(begun, begun.dropFirst()).map { $1 - $0 }
      #expect(distances.allSatisfy { $0 >= Int64(interval) }, "\(step)")
    }
  }

  @Test func `a change during a write is for the next one`() {
    var schedule = schedule()
    schedule.changed(at: .milliseconds(0))
    schedule.began(at: .milliseconds(2_000))
    #expect(schedule.deadline == nil && schedule.isPending)
    schedule.changed(at: .milliseconds(2_500))
    #expect(schedule.deadline == nil)
    schedule.succeeded()
    #expect(schedule.deadline == .milliseconds(32_000))
  }

  @Test func `a slow disk is asked again when it has answered`() {
    let begun = writes(schedule(after: 0, interval: 0), step: 100, until: 1_000, duration: 400)
    #expect(begun == [0, 400, 800, 1_200])
  }

  @Test(arguments: [(2_000, 30_000), (0, 0)])
  func `a failure is tried again ever less often, up to a minute`(after: Int, interval: Int) {
    let begun = writes(schedule(after: after, interval: interval), step: 10, until: 100_000, failing: true)
    let pauses = zip(begun, begun.dropFirst()).map { $1 - $0 }
    // A write takes one millisecond here.
    #expect(pauses.prefix(7).map { $0 - 1 } == [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000])
    #expect(pauses.dropFirst(6).allSatisfy { $0 == 60_001 })
  }

  @Test func `what failed is not forgotten, and neither is how often`() {
    var schedule = schedule()
    schedule.changed(at: .milliseconds(0))
    schedule.began(at: .milliseconds(2_000))
    schedule.failed(at: .milliseconds(2_100))
    #expect(schedule.isPending && schedule.deadline == .milliseconds(3_100))
    schedule.changed(at: .milliseconds(3_000))
    #expect(schedule.deadline == .milliseconds(3_100))
    schedule.began(at: .milliseconds(3_100))
    schedule.failed(at: .milliseconds(3_100))
    #expect(schedule.failures == 2 && schedule.firstFailure == .milliseconds(2_100))
    schedule.began(at: .milliseconds(5_100))
    schedule.succeeded()
    #expect(schedule.failures == 0 && schedule.firstFailure == nil && !schedule.isPending)
  }

  @Test func `a request is met at once, but not while something is written`() {
    var schedule = schedule()
    schedule.request()
    #expect(schedule.isPending)
    #expect(schedule.deadline.map { $0 <= .milliseconds(1) } == true)
    schedule.began(at: .milliseconds(1))
    schedule.request()
    #expect(schedule.deadline == nil)
    schedule.failed(at: .milliseconds(2))
    #expect(schedule.deadline.map { $0 <= .milliseconds(2) } == true)
    schedule.began(at: .milliseconds(2))
    schedule.succeeded()
    #expect(schedule.deadline == nil && !schedule.isPending)
  }

  @Test func `a request that fails is tried again although nothing has changed`() {
    var schedule = schedule()
    schedule.request()
    schedule.began(at: .milliseconds(1_000))
    schedule.failed(at: .milliseconds(1_000))
    #expect(schedule.deadline == .milliseconds(2_000))
  }
}

extension Instant {
  fileprivate var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
