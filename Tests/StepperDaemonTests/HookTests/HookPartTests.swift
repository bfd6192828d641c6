import StepperCore
import Testing

@testable import StepperConfiguration
@testable import StepperDaemon

extension HookTests {
  @MainActor @Suite struct RunTimeoutsTests {
    @Test func `a command that takes too long is asked to end, then killed`() {
      var timeouts = RunTimeouts(timeout: .seconds(10), startedAt: .milliseconds(0))
      let actions = [9_999, 10_000, 10_001, 10_999, 11_000, 60_000].map {
        timeouts.advance(to: .milliseconds($0))
      }
      #expect(actions == [nil, .terminate, nil, nil, .kill, nil])
      #expect(timeouts.hasTimedOut && !timeouts.isCancelled)
      #expect(timeouts.deadline == nil, "now only its end is waited for")
    }

    @Test func `after its end its output is waited for only briefly`() {
      var timeouts = RunTimeouts(timeout: .seconds(10), startedAt: .milliseconds(0))
      timeouts.commandEnded(at: .milliseconds(9_950))
      let actions = [10_000, 10_049, 10_050, 10_051].map { timeouts.advance(to: .milliseconds($0)) }
      #expect(actions == [nil, nil, .finish, nil])
      #expect(!timeouts.hasTimedOut)
    }

    @Test func `one that is cancelled is asked once`() {
      var timeouts = RunTimeouts(timeout: .seconds(10), startedAt: .milliseconds(0))
      let actions = [1, 2].map { timeouts.terminate(at: .milliseconds($0)) }
      #expect(actions == [.terminate, nil])
      let late = timeouts.advance(to: .milliseconds(1_001))
      #expect(late == .kill)
      #expect(timeouts.isCancelled && !timeouts.hasTimedOut)
    }
  }
}

extension HookTests {
  @MainActor @Suite struct OutputLineTests {
    private func lines(_ chunks: String...) -> [String] {
      var lines = OutputLines()
      return chunks.flatMap { lines.append(Array($0.utf8)) } + lines.finish()
    }

    @Test func `lines are told as they are completed`() {
      #expect(lines("one\ntw", "o\n\nthree") == ["one", "two", "three"])
      #expect(lines() == [])
    }

    @Test func `control characters are told by their numbers`() {
      #expect(lines("a\tb\r\n") == [#"a\tb"#])
      #expect(lines("\u{1b}[31mred\u{7}\u{0}") == [#"\x1b[31mred\x07\x00"#])
      #expect(lines("evil\u{202e}txt\u{2028}hook: volume") == [#"evil\u{202e}txt\u{2028}hook: volume"#])
      #expect(lines("Lautstärke 45 %, 音量") == ["Lautstärke 45 %, 音量"])
    }

    @Test func `bytes that are no text do no harm`() {
      var lines = OutputLines()
      #expect(lines.append([0xff, 0xfe, 10]) == ["\u{fffd}\u{fffd}"])
    }

    @Test func `a long line is cut, and what it costs is bounded`() {
      var lines = OutputLines()
      for _ in 0..<1_000 { #expect(lines.append([UInt8](repeating: 0x61, count: 4_096)) == []) }
      let told = lines.append(Array("end\nnext\n".utf8))
      #expect(told == [String(repeating: "a", count: OutputLines.limit) + "…", "next"])
    }

    @Test func `a flood of lines is counted`() {
      var lines = OutputLines()
      let told = lines.append(Array(String(repeating: "y\n", count: 2_048).utf8))
      #expect(told == Array(repeating: "y", count: OutputLines.linesAtOnce))
      let rest = [lines.finish(), lines.finish()]
      #expect(rest == [["(\(2_048 - OutputLines.linesAtOnce) more lines)"], []])
    }
  }
}

extension HookTests {
  @MainActor @Suite struct OutputPaceTests {
    @Test func `who writes too fast waits until the interval is over`() {
      var pace = OutputPace()
      let half = OutputPace.bytes / 2
      let pauses = [0, 10, 20].map { pace.mustPause(after: half, at: .milliseconds($0)) }
      #expect(pauses == [false, true, false], "once")
      #expect(pace.deadline == .milliseconds(100))
      let resumed = [99, 100, 101].map { pace.resume(at: .milliseconds($0)) }
      #expect(resumed == [false, true, false])
      let again = pace.mustPause(after: half, at: .milliseconds(101))
      #expect(!again)
    }
  }
}

extension HookTests {
  @MainActor @Suite struct FailureReportTests {
    @Test func `the first failure is told at once, the others in one sentence`() {
      var report = FailureReport()
      let told = (0..<500).compactMap { report.failed("exited with status \($0)", at: .milliseconds($0)) }
      #expect(told == ["exited with status 0"])
      #expect(report.deadline == .milliseconds(60_000))
      let summaries = [59_999, 60_000, 60_001].map { report.advance(to: .milliseconds($0)) }
      #expect(summaries == [nil, "failed 499 more times, most recently: exited with status 499", nil])
      #expect(report.deadline == nil)
      let next = [60_500, 120_000].map { report.failed("exited with status 1", at: .milliseconds($0)) }
      #expect(next == [nil, "failed 1 more time, most recently: exited with status 1; exited with status 1"])
    }

    @Test func `one failure an hour is told each time`() {
      var report = FailureReport()
      let told = (0..<3).map { report.failed("failed", at: .milliseconds($0 * 3_600_000)) }
      #expect(told == ["failed", "failed", "failed"])
    }
  }
}

extension HookTests {
  @MainActor @Suite struct HookEventTests {
    @Test func `a command is told everything, exactly, and nothing of the daemon's own environment`() {
      var event = HookEvent.change(to: 100)
      event.value = FixedPoint(units: 450, digits: 2)
      event.limit = .maximum
      event.device = "knob"
      let details = [
        "text": "100 %", "previous-text": "99 %", "text-title": "full", "minimum": "0", "maximum": "100",
        "unit": "%",
        "title": "Volume", "speech": "Volume, 100 %",
      ]
      let daemons = ["PATH": "/usr/bin", "NOTIFY_SOCKET": "/run/systemd/notify", "LISTEN_FDS": "1"]
      let base = HookEvent.baseEnvironment(address: "/run/stepperd/org.stepperd") { daemons[$0] }
      #expect(
        HookEvent.environment(of: "on-change", event.placeholders(details), over: base) == [
          "STEPPER_HOOK": "on-change", "STEPPER_CONTROL": "volume", "STEPPER_MOMENT": "increment",
          "STEPPER_VALUE": "4.50", "STEPPER_TEXT": "100 %", "STEPPER_PREVIOUS": "99",
          "STEPPER_PREVIOUS_TEXT": "99 %", "STEPPER_ORIGIN": "device", "STEPPER_LIMIT": "maximum",
          "STEPPER_MINIMUM": "0", "STEPPER_MAXIMUM": "100", "STEPPER_UNIT": "%", "STEPPER_TITLE": "Volume",
          "STEPPER_SEQUENCE": "100", "STEPPER_DEVICE": "knob", "STEPPER_TEXT_TITLE": "full",
          "STEPPER_SPEECH": "Volume, 100 %",
          "STEPPERD_ADDRESS": "/run/stepperd/org.stepperd", "PATH": "/usr/bin",
        ])
    }

    @Test func `what is unset is empty`() {
      let event = HookEvent(
        control: "volume", occasion: .moment(.longPress), origin: .client, limit: .none, sequence: 1)
      let environment = HookEvent.environment(of: "on-press", event.placeholders([:]), over: [:])
      #expect(environment["STEPPER_MOMENT"] == "long-press")
      #expect(
        ["VALUE", "TEXT", "PREVIOUS", "MINIMUM", "UNIT"].allSatisfy { environment["STEPPER_\($0)"] == "" })
    }
  }
}
