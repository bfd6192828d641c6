import StepperCore
import Testing

@testable import StepperConfiguration
@testable import StepperDaemon

extension HookEvent {
  /// `volume` went from `previous` to `value`.
  static func change(to value: Int64, from previous: Int64? = nil) -> HookEvent {
    HookEvent(
      control: "volume", occasion: .moment(.increment), value: FixedPoint(units: value, digits: 0),
      previous: FixedPoint(units: previous ?? value - 1, digits: 0), origin: .device, limit: .none,
      sequence: value)
  }
}

/// One run of a command in virtual time: when it started, in milliseconds, and what it was told.
private struct Run: Hashable, CustomStringConvertible {
  var start: Int64
  var previous: Int64
  var value: Int64
  var description: String { "\(start) ms: \(previous) → \(value)" }

  init(_ start: Int64, _ previous: Int64, _ value: Int64) {
    (self.start, self.previous, self.value) = (start, previous, value)
  }
}

/// What happens: a value at each of `changes` (in milliseconds), counting from 1; commands take `duration`.
private struct Scenario: CustomTestStringConvertible {
  var testDescription: String
  var changes: [Int64]
  var duration: Int64 = 0
  var debounce: Duration?
  var interval: Duration?
  var runs: [Run]

  /// Plays it; `wakeups` are additional calls for no reason.
  @MainActor func play(wakeups: [Int64] = []) -> (runs: [Run], schedule: HookSchedule) {
    var schedule = HookSchedule(
      HookSettings(name: "on-change", command: [], debounce: debounce, interval: interval))
    var runs: [Run] = []
    var end: Int64?
    var changes = changes[...]
    var value: Int64 = 0
    var wakeups = wakeups[...]
    while true {
      let deadline = schedule.deadline.map { $0.nanoseconds / 1_000_000 }
      guard let now = [changes.first, end, deadline, wakeups.first].compactMap(\.self).min() else { break }
      if wakeups.first == now { wakeups.removeFirst() }
      if end == now {
        schedule.ended()
        end = nil
      }
      while changes.first == now {
        changes.removeFirst()
        value += 1
        schedule.note(.change(to: value), at: .milliseconds(now))
      }
      guard let event = schedule.advance(to: .milliseconds(now)) else { continue }
      schedule.started(event, at: .milliseconds(now))
      runs.append(Run(now, event.previous?.units ?? -1, event.value?.units ?? -1))
      end = now + duration
    }
    return (runs, schedule)
  }
}

private let scenarios = [
  Scenario(testDescription: "one change is one run, at once", changes: [5], runs: [Run(5, 0, 1)]),
  Scenario(
    testDescription: "changes far apart are a run each", changes: [0, 100, 200], duration: 50,
    runs: [Run(0, 0, 1), Run(100, 1, 2), Run(200, 2, 3)]),
  Scenario(
    testDescription: "while one runs the latest value wins, and no difference is lost",
    changes: [0, 10, 20, 30], duration: 50, runs: [Run(0, 0, 1), Run(50, 1, 4)]),
  Scenario(
    testDescription: "a change at the moment of the end is told", changes: [0, 50], duration: 50,
    runs: [Run(0, 0, 1), Run(50, 1, 2)]),
  Scenario(
    testDescription: "a storm on a slow command: one more run after the last change",
    changes: Array(0..<2_000), duration: 1_000,
    runs: [Run(0, 0, 1), Run(1_000, 1, 1_001), Run(2_000, 1_001, 2_000)]),
  Scenario(
    testDescription: "a debounce waits for quiet", changes: [0, 40, 80, 300], debounce: .milliseconds(50),
    runs: [Run(130, 0, 3), Run(350, 3, 4)]),
  Scenario(
    testDescription: "a storm never ends a debounce but by its own end", changes: Array(0..<500),
    debounce: .milliseconds(50), runs: [Run(549, 0, 500)]),
  Scenario(
    testDescription: "an end while it is not quiet yet starts nothing", changes: [0, 90, 120], duration: 50,
    debounce: .milliseconds(50), runs: [Run(50, 0, 1), Run(170, 1, 3)]),
  Scenario(
    testDescription: "an interval is kept between starts, not between end and start",
    changes: [0, 10, 20, 30, 250], duration: 20, interval: .milliseconds(100),
    runs: [Run(0, 0, 1), Run(100, 1, 4), Run(250, 4, 5)]),
  Scenario(
    testDescription: "an interval shorter than the command changes nothing", changes: [0, 10], duration: 200,
    interval: .milliseconds(100), runs: [Run(0, 0, 1), Run(200, 1, 2)]),
  Scenario(
    testDescription: "debounce and interval: the later of the two", changes: [0, 100, 110, 400],
    debounce: .milliseconds(20), interval: .milliseconds(300),
    runs: [Run(20, 0, 1), Run(320, 1, 3), Run(620, 3, 4)]),
]

extension HookTests {
  @MainActor @Suite struct Schedules {
    @Test(arguments: scenarios) fileprivate func `runs are started when`(_ scenario: Scenario) {
      #expect(scenario.play().runs == scenario.runs)
    }

    @Test(arguments: scenarios) fileprivate func `extra wakeups change nothing`(_ scenario: Scenario) {
      #expect(scenario.play(wakeups: Array(0..<700)).runs == scenario.play().runs)
    }

    @Test(arguments: scenarios) fileprivate func `every event is told or counted`(_ scenario: Scenario) {
      let (runs, schedule) = scenario.play()
      #expect(runs.count + Int(schedule.skipped) == scenario.changes.count)
    }

    @Test func `a button held on a slow command is over soon after its release (MustardOS#394)`() {
      // 40 ms between the repeats of 7 s, 100 ms for the command: there, 184 processes and 11.8 s after the release.
      let storm = Scenario(
        testDescription: "", changes: Array(stride(from: 0, through: 7_000, by: 40)), duration: 100, runs: [])
      let runs = storm.play().runs
      #expect(runs.count { $0.start >= 7_000 } == 1)
      #expect(runs.last == Run(7_000, runs[runs.count - 2].value, 176))
      #expect(zip(runs, runs.dropFirst()).allSatisfy { $1.start - $0.start >= 100 }, "one at a time")
      #expect(zip(runs, runs.dropFirst()).allSatisfy { $1.previous == $0.value }, "no gap")
    }

    @Test func `one that cannot be started is tried again only after a pause, and told what it missed`() {
      var schedule = HookSchedule(HookSettings(name: "on-change", command: []))
      var attempts: [Int64] = []
      for time in Int64(0)..<2_500 {
        schedule.note(.change(to: time + 1), at: .milliseconds(time))
        guard let event = schedule.advance(to: .milliseconds(time)) else { continue }
        attempts.append(time)
        if time < 2_000 {
          schedule.failedToStart(at: .milliseconds(time))
        } else {
          schedule.started(event, at: .milliseconds(time))
        }
      }
      #expect(attempts == [0, 1_000, 2_000])
      schedule.ended()
      #expect(schedule.advance(to: .milliseconds(2_500))?.previous == 2_001)
    }

    @Test func `what the value was before anything changed outlives a run that could not be started`() {
      var schedule = HookSchedule(HookSettings(name: "on-change", command: []))
      schedule.note(.change(to: 3, from: 0), at: .milliseconds(0))
      _ = schedule.advance(to: .milliseconds(0))
      schedule.failedToStart(at: .milliseconds(0))
      schedule.note(.change(to: 9, from: 3), at: .milliseconds(2_000))
      #expect(schedule.advance(to: .milliseconds(2_000)) == .change(to: 9, from: 0))
    }

    @Test
    func
      `an event that could not be told for lack of processes is told after a pause, unless a newer one is`()
    {
      var schedule = HookSchedule(HookSettings(name: "on-change", command: []))
      schedule.note(.change(to: 1), at: .milliseconds(0))
      let first = schedule.advance(to: .milliseconds(0))
      schedule.failedToStart(at: .milliseconds(0), keeping: first)
      #expect(schedule.deadline == .milliseconds(1_000))
      let again = schedule.advance(to: .milliseconds(1_000))
      #expect(first == .change(to: 1, from: 0) && again == first)
      schedule.note(.change(to: 2), at: .milliseconds(1_001))
      schedule.failedToStart(at: .milliseconds(1_002), keeping: again)
      #expect(schedule.advance(to: .milliseconds(2_002)) == .change(to: 2, from: 0))
    }

    @Test func `a run is interrupted only when it was started`() {
      var schedule = HookSchedule(HookSettings(name: "on-change", command: []))
      (schedule.interrupts, schedule.interval) = (true, nil)
      schedule.note(.change(to: 1), at: .milliseconds(0))
      let first = schedule.advance(to: .milliseconds(0))
      schedule.note(.change(to: 2), at: .milliseconds(1))
      #expect(schedule.interruption == nil)
      if let first { schedule.started(first, at: .milliseconds(2)) }
      #expect(schedule.interruption == .milliseconds(2))
    }

    @Test func `what is cleared is not told`() {
      var schedule = HookSchedule(HookSettings(name: "on-change", command: []))
      schedule.note(.change(to: 1), at: .milliseconds(0))
      schedule.clear()
      #expect(schedule.deadline == nil)
    }
  }
}
