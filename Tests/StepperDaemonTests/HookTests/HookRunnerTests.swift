import Glibc
import StepperCore
import StepperLinux
import TestSupport
import Testing

@testable import StepperConfiguration
@testable import StepperDaemon

extension HookTests {
  @MainActor @Suite struct Runners {
    @Test func `a change runs the command with the event, and its output goes to the log`() throws {
      let bed = try HookBed(#"echo "$STEPPER_CONTROL is $STEPPER_VALUE"; printf 'a\033b' >&2"#)
      bed.change()
      #expect(try bed.run { bed.hooks.isIdle })
      #expect(
        bed.log == ["hook: volume on-change: volume is 1", #"hook: volume on-change: a\x1bb"#])
      #expect(bed.counters == HookCounters(runs: 1))
      #expect(bed.hooks.deadline == nil, "nothing wakes an idle daemon")
    }

    @Test func `what happens in one wakeup is one run`() throws {
      let bed = try HookBed(#"echo "$STEPPER_VALUE" >> "$FOLDER/out""#)
      for _ in 0..<5 { bed.change() }
      #expect(try bed.run { bed.hooks.isIdle })
      #expect(bed.lines() == ["5"])
      #expect(bed.counters == HookCounters(runs: 1, skipped: 4))
    }

    @Test func `a debounce waits until the knob rests`() throws {
      let bed = try HookBed(#"echo "$STEPPER_VALUE" >> "$FOLDER/out""#, debounce: .milliseconds(150))
      try bed.storm(every: .milliseconds(5), for: .milliseconds(500))
      #expect(bed.counters.runs == 0)
      #expect(try bed.run { bed.hooks.isIdle })
      #expect(bed.lines() == ["100"])
    }

    @Test func `an interval spreads the runs`() throws {
      let bed = try HookBed("exit 0", interval: .milliseconds(200))
      try bed.storm(every: .milliseconds(5), for: .milliseconds(900))
      #expect((3...5).contains(bed.counters.runs))
      #expect(try bed.run { bed.hooks.isIdle })
      #expect((4...6).contains(bed.counters.runs))
    }

    @Test func `a command that hangs is ended with all it started, and the next one runs`() throws {
      let bed = try HookBed(
        """
        [ "$STEPPER_VALUE" = 1 ] || exit 0
        sleep 1000 & echo $! >> "$FOLDER/out"
        wait
        """, timeout: .milliseconds(200))
      bed.change()
      #expect(try bed.run { bed.counters.runs == 1 })
      bed.change()
      #expect(try bed.run { bed.counters.runs == 2 && bed.hooks.isIdle })
      #expect(bed.counters == HookCounters(runs: 2, failures: 1, timeouts: 1))
      for process in bed.lines() { #expect(Deadline().wait { !isRunning(process) }) }
    }

    @Test func `a program that leaves the group goes on and holds nothing up`() throws {
      let bed = try HookBed(#"setsid sleep 60 & echo $! >> "$FOLDER/out""#)
      bed.change()
      #expect(try bed.run(within: 20) { bed.hooks.isIdle })
      #expect(bed.counters == HookCounters(runs: 1))
      #expect(bed.lines().allSatisfy(isRunning))
      #expect(bed.log == [], "it was not ended")
      for process in bed.lines().compactMap({ pid_t($0) }) { kill(process, SIGKILL) }
    }

    @Test func `a program that leaves the group and redirects its output goes on`() throws {
      let bed = try HookBed(
        """
        exec setsid --fork sh -c 'exec > "$FOLDER/out" 2>&1; while echo $$; do sleep 0.1; done'
        """)
      bed.change()
      #expect(try bed.run { bed.hooks.isIdle })
      #expect(Deadline().wait { bed.lines().count >= 5 }, "it goes on writing")
      #expect(bed.log == [])
      kill(try #require(bed.lines().first.flatMap(pid_t.init)), SIGKILL)
    }

    @Test(arguments: ["exec >&- 2>&-; sleep 0.5", "setsid sleep 0.5 &", "sleep 0.5"])
    func `a command that says nothing wakes nobody`(_ script: String) throws {
      let bed = try HookBed(script)
      bed.change()
      #expect(try bed.run { bed.hooks.isIdle })
      #expect(bed.wakeups < 10)
    }

    @Test func `a failure is over with the next run that is none`() throws {
      let bed = try HookBed(#"[ "$STEPPER_VALUE" != 1 ]"#)
      bed.change()
      #expect(try bed.run { bed.hooks.isIdle })
      #expect(bed.hooks.failures.first == "volume on-change: exited with status 1")
      bed.change()
      #expect(try bed.run { bed.hooks.isIdle })
      #expect(bed.hooks.failures.first == nil)
    }

    @Test func `many hooks run beside each other`() throws {
      // Each ends when all have begun.
      let script = #"echo x >> "$FOLDER/out"; until [ "$(wc -l < "$FOLDER/out")" = 10 ]; do sleep 0.02; done"#
      let bed = try HookBed((0..<10).map { .script(script, named: "hook-\($0)") })
      bed.change()
      #expect(try bed.run { bed.hooks.isIdle })
      #expect(bed.lines().count == 10)
    }

    @Test func `a command that talks a lot hides no problem and silences nobody else`() throws {
      let bed = try HookBed()
      for _ in 0..<100 { bed.journal.quote(.hook, "volume on-change", "y") }
      bed.journal.quote(.hook, "bass on-change", "x")
      bed.journal.warning(.hook, "volume on-change: exited with status 1")
      #expect(bed.log.count == LogLimit.burst + 2)
      #expect(
        bed.log.suffix(2) == [
          "hook: bass on-change: x", "warning: hook: volume on-change: exited with status 1",
        ])
    }

    @Test func `a moment nobody listens to runs nothing`() throws {
      let bed = try HookBed("exit 0")
      #expect(bed.hooks.listen(to: .moment(.increment), of: "volume"))
      #expect(!bed.hooks.listen(to: .moment(.decrement), of: "volume"))
      #expect(!bed.hooks.listen(to: .moment(.increment), of: "bass"))
      var event = HookEvent.change(to: 1)
      event.occasion = .moment(.decrement)
      bed.hooks.note(event, at: .now)
      #expect(bed.hooks.isIdle)
    }
  }
}

extension HookTests {
  @MainActor @Suite struct Reloads {
    private static let slow = #"echo "$$ $STEPPER_VALUE" >> "$FOLDER/out"; exec sleep 1000"#

    /// A hook whose slow command runs.
    private func slowBed() throws -> HookBed {
      let bed = try HookBed(Self.slow)
      bed.change()
      #expect(try bed.run { bed.counters.runs == 1 } && Deadline().wait { bed.lines().count == 1 })
      return bed
    }

    private func process(_ bed: HookBed) -> String {
      bed.lines()[0].split(separator: " ").map(String.init)[0]
    }

    @Test func `a hook that is still there goes on`() throws {
      let bed = try slowBed()
      bed.hooks.configure([.script(Self.slow, debounce: .milliseconds(10))], at: .now)
      #expect(!bed.hooks.isIdle && isRunning(process(bed)))
    }

    @Test func `the command of a hook that is gone is ended, and counts as no failure`() throws {
      let bed = try slowBed()
      bed.hooks.configure([], at: .now)
      bed.change()
      #expect(try bed.run { bed.hooks.isIdle })
      #expect(!isRunning(process(bed)))
      #expect(bed.hooks.failures.first == nil && bed.log == [])
    }

    @Test func `another command takes over with the latest value`() throws {
      let bed = try slowBed()
      bed.change()
      bed.hooks.configure(
        [.script(#"echo "now $STEPPER_PREVIOUS $STEPPER_VALUE" >> "$FOLDER/out""#)], at: .now)
      #expect(try bed.run { bed.hooks.isIdle })
      #expect(!isRunning(process(bed)))
      #expect(bed.lines().last == "now 1 2")
    }

    @Test func `the failure of another command is forgotten`() throws {
      let bed = try HookBed("exit 3")
      bed.change()
      #expect(try bed.run { bed.hooks.isIdle })
      bed.hooks.configure([.script("exit 3", debounce: .milliseconds(1))], at: .now)
      #expect(bed.hooks.failures.first != nil)
      bed.hooks.configure([.script("exit 0")], at: .now)
      #expect(bed.hooks.failures.first == nil)
    }

    @Test func `stopping ends everything and does not wait for a command`() throws {
      let bed = try HookBed(
        (0..<5).map {
          .script(
            #"trap "" TERM; echo $$ >> "$FOLDER/out"; while :; do sleep 1000; done"#, named: "hook-\($0)")
        } + [.script(Self.slow)])
      bed.change()
      #expect(try bed.run { bed.counters.runs == 6 } && Deadline().wait { bed.lines().count == 6 })
      let began = Instant.now
      bed.hooks.stop(at: began)
      #expect(Instant.now - began < .seconds(5))
      #expect(bed.hooks.isIdle)
      for line in bed.lines() { #expect(!isRunning(String(line.prefix { $0 != " " }))) }
      bed.change()
      #expect(bed.hooks.isIdle && bed.hooks.deadline == nil, "nothing is started any more")
      #expect(bed.log == [], "and that is no failure")
    }
  }
}
