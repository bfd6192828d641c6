import Glibc
import StepperCore
import StepperLinux
import TestSupport
import Testing

@testable import StepperConfiguration
@testable import StepperDaemon

/// Many commands at once.
extension HookTests {
  @MainActor @Suite struct Crowds {
    private func entries(_ count: Int, _ command: [String]) -> [Hooks.Entry] {
      (0..<count).map {
        Hooks.Entry(
          control: "volume",
          settings: HookSettings(
            name: "hook-\($0)", occasions: [.moment(.increment)], command: command))
      }
    }

    @Test func `a hundred commands of one change are started a few at a time, and all run`() throws {
      let bed = try HookBed(entries(100, ["true"]))
      bed.change()
      var most = 0
      let isIdle = try bed.run(within: 60) {
        most = max(most, bed.hooks.startingCount)
        return bed.hooks.isIdle
      }
      #expect(isIdle)
      #expect(bed.counters == HookCounters(runs: 100))
      #expect((1...Hooks.mostStarting).contains(most))
      #expect(bed.hooks.deadline == nil)
    }

    @Test func `those that wait when the configuration is read again run`() throws {
      let bed = try HookBed(entries(60, ["true"]))
      bed.change()
      bed.hooks.advance(to: .now)
      bed.hooks.configure(entries(60, ["true"]), at: .now)
      #expect(try bed.run(within: 60) { bed.hooks.isIdle })
      #expect(bed.counters == HookCounters(runs: 60))
    }

    @Test func `what commands cost in a wakeup fits its time`() throws {
      // Each piece of work takes a millisecond of this clock.
      var time = Instant.milliseconds(0)
      let bed = try HookBed(entries(40, ["sh", "-c", "echo a; echo b"])) {
        time = time + .milliseconds(1)
        return time
      }
      bed.change()
      var (begun, most): (Int64, Int64) = (0, 0)
      let isIdle = try bed.run(within: 60) {
        let counters = bed.counters
        let all = counters.runs + counters.failures + Int64(bed.hooks.startingCount)
        most = max(most, all - begun)
        begun = all
        return bed.hooks.isIdle
      }
      #expect(isIdle)
      #expect(bed.counters == HookCounters(runs: 40))
      #expect((1...4).contains(most), "\(WakeupTime.hooks)")
    }

    @Test func `commands that run again and again keep nobody from running`() throws {
      let bed = try HookBed(entries(30, ["true"]))
      let haveAllRun = try bed.run(within: 60) {
        bed.change()
        return bed.hooks.counters.values.allSatisfy { $0.runs > 0 }
      }
      #expect(haveAllRun)
    }

    @Test func `a stop leaves nothing of commands that are being started`() throws {
      let bed = try HookBed(entries(30, ["sh", "-c", #"echo $$ >> "$FOLDER/out"; exec sleep 1000"#]))
      for starts in [0, 1, 3, 8, 20] {
        bed.hooks.configure(
          entries(30, ["sh", "-c", #"echo $$ >> "$FOLDER/out"; exec sleep 1000"#]), at: .now)
        bed.change()
        #expect(try bed.run { bed.counters.runs >= Int64(starts) })
        bed.hooks.stop(at: .now)
        #expect(Deadline().wait { bed.lines().allSatisfy { !isRunning($0) } })
        bed.change()
        bed.hooks.advance(to: .now)
        #expect(bed.hooks.deadline == nil, "nothing is started any more")
      }
    }

    @Test func `a command that is not wanted any more while it is started is given up`() throws {
      let bed = try HookBed([.script(#"echo ran >> "$FOLDER/out""#)])
      for _ in 0..<50 {
        bed.hooks.configure([.script(#"echo ran >> "$FOLDER/out""#)], at: .now)
        bed.change()
        bed.hooks.advance(to: .now)
        #expect(bed.hooks.startingCount == 1)
        bed.hooks.configure([], at: .now)
        #expect(try bed.run { bed.hooks.isIdle })
      }
      #expect(bed.log == [], "that is no failure")
    }
  }
}
