import Glibc
import StepperCore
import StepperLinux
import SystemPackage
import TestSupport
import Testing

@testable import StepperConfiguration
@testable import StepperDaemon

/// Many changes, on commands that do not cope with them. How many commands run has an upper bound by their intervals; the
/// lower bound is what a machine reaches whose processors others have, too.
extension HookTests {
  @MainActor @Suite struct Storms {
    @Test func `a thousand changes a second on a command of one second (MustardOS#394)`() throws {
      let bed = try HookBed(
        """
        mkdir "$FOLDER/running" || echo "two at a time" >> "$FOLDER/out"
        echo "$STEPPER_PREVIOUS $STEPPER_VALUE" >> "$FOLDER/out"
        sleep 1
        rmdir "$FOLDER/running"
        """)
      try bed.storm(for: .seconds(2))
      #expect(bed.lastValue == 2_000, "every change was made in time")
      let runsAtRelease = bed.counters.runs
      #expect((1...3).contains(runsAtRelease))
      #expect(try bed.run { bed.hooks.isIdle })
      #expect(bed.counters.runs <= runsAtRelease + 1, "after the last change at most one more")
      #expect(bed.counters.failures == 0)
      #expect(bed.counters.runs + bed.counters.skipped == 2_000)
      let told = bed.lines().map { $0.split(separator: " ").compactMap { Int64($0) } }
      #expect(told.count == Int(bed.counters.runs), "\(bed.lines())")
      #expect(told.last?.last == 2_000, "the last one sees the last value")
      #expect(zip(told, told.dropFirst()).allSatisfy { $0.last == $1.first }, "no gap: \(told)")
      #expect(try bed.isAsQuickAsWithoutHooks())
    }

    @Test func `commands that are quick`() throws {
      let bed = try HookBed([
        .init(
          control: "volume",
          settings: HookSettings(
            name: "on-change", occasions: [.moment(.increment)], command: ["true"]))
      ])
      try bed.storm(for: .seconds(1))
      #expect(try bed.run { bed.hooks.isIdle })
      #expect((2...22).contains(bed.counters.runs), "they are not started more often than every 50 ms")
      #expect(bed.counters.failures == 0)
    }

    @Test func `commands that hang and ignore SIGTERM`() throws {
      let bed = try HookBed(
        """
        trap '' TERM
        echo $$ >> "$FOLDER/out"
        while :; do sleep 1000; done
        """, timeout: .milliseconds(300))
      try bed.storm(for: .seconds(2))
      #expect(try bed.run { bed.hooks.isIdle })
      #expect(bed.counters.timeouts == bed.counters.runs && (1...3).contains(bed.counters.runs))
      #expect(bed.log == ["warning: hook: volume on-change: took longer than 300 ms and was ended"])
      for process in bed.lines() { #expect(!exists(process), "not even as a zombie") }
    }

    @Test func `commands that fork`() throws {
      let bed = try HookBed(#"(trap "" TERM; sleep 1000) & echo $! >> "$FOLDER/out""#)
      try bed.storm(for: .seconds(1))
      #expect(try bed.run { bed.hooks.isIdle })
      #expect(bed.counters.failures == 0)
      #expect((1...12).contains(bed.counters.runs), "each has a tenth of a second for its last words")
      for process in bed.lines() { #expect(Deadline().wait { !isRunning(process) }) }
      #expect(bed.log.count == 1 && bed.log[0].contains("setsid"), "\(bed.log)")
    }

    @Test func `commands that do not exist`() throws {
      let bed = try HookBed([
        .init(
          control: "volume",
          settings: HookSettings(
            name: "on-change", occasions: [.moment(.increment)], command: ["/nonexistent/beep"]))
      ])
      try bed.storm(for: .seconds(2))
      #expect(bed.log == ["warning: hook: volume on-change: /nonexistent/beep does not exist"])
      #expect(bed.counters.runs == 0)
      #expect((1...3).contains(bed.counters.failures), "one attempt a second")
      #expect(bed.hooks.failures.first == "volume on-change: /nonexistent/beep does not exist")
    }

    @Test func `commands that fail`() throws {
      let bed = try HookBed("exit 3", interval: .milliseconds(20))
      try bed.storm(for: .seconds(1))
      #expect(try bed.run { bed.hooks.isIdle })
      #expect(bed.counters.failures == bed.counters.runs && bed.counters.runs > 1)
      #expect(bed.log == ["warning: hook: volume on-change: exited with status 3"])
    }

    @Test func `a command that writes without end is heard a little and slows nothing`() throws {
      let bed = try HookBed("exec yes", timeout: .milliseconds(700))
      try bed.storm(for: .milliseconds(600))
      #expect(try bed.run { bed.counters.timeouts == 1 })
      #expect(bed.log.count { $0 == "hook: volume on-change: y" } == LogLimit.burst)
      #expect(try bed.isAsQuickAsWithoutHooks())
    }
  }
}

/// Whether there is a process of that number, a zombie included.
func exists(_ process: String) -> Bool { pid_t(process).map { kill($0, 0) == 0 || errno != ESRCH } ?? false }

/// Whether the process of that number still does something.
func isRunning(_ process: String) -> Bool {
  guard let content = try? SmallFile(FilePath("/proc/\(process)/stat")).read(limit: 4_096) else {
    return false
  }
  return !String(decoding: content, as: UTF8.self).contains(") Z ")
}
