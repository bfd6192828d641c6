import StepperCore
import StepperLinux
import Testing

@testable import StepperDaemon

@MainActor @Suite struct VirtualButtonsTests {
  private let plus = VirtualButtons.Button(device: "panel", input: .plus)

  @Test func `a button is down while anybody holds it`() {
    var holds = VirtualButtons()
    let pressed = [holds.press(plus, by: .session(1)), holds.press(plus, by: .session(2))]
    #expect(pressed == [true, false], "the first press moves it")
    let released = [holds.release(plus, by: .session(1)), holds.release(plus, by: .session(2))]
    #expect(released == [false, true], "the last release moves it")
  }

  @Test func `a lease ends a press, unless it was renewed`() {
    var holds = VirtualButtons()
    let start = Instant.milliseconds(1_000)
    let pressed = [
      holds.press(plus, by: .session(1), until: start + .seconds(2)),
      holds.press(plus, by: .session(1), until: start + .seconds(3)),
    ]
    #expect(pressed == [true, false] && holds.deadline == start + .seconds(3))
    let (early, due) = (holds.endHolds(at: start + .seconds(2)), holds.endHolds(at: start + .seconds(3)))
    #expect(early == [] && due == [plus] && holds.deadline == nil)
    // After a stall what has arrived counts before.
    _ = holds.press(plus, by: .session(1), until: start)
    let stalled = holds.endHolds(at: start + .seconds(9))
    let end = start + .seconds(9) + Interruptions.stallTolerance
    #expect(stalled == [] && holds.deadline == end)
    let next = holds.endHolds(at: end)
    #expect(next == [plus])
  }

  @Test func `only who holds it can let it go`() {
    var holds = VirtualButtons()
    _ = holds.press(plus, by: .session(1))
    let others = holds.release(plus, by: .session(2))
    #expect(!others)
    let released = [holds.release(all: .session(2)), holds.release(all: .session(1))]
    #expect(released == [[], [plus]])
  }
}

@MainActor @Suite struct LogLimitTests {
  @Test func `a flood is cut and counted`() {
    var limit = LogLimit()
    let verdicts = (0..<25).map { _ in limit.admit(at: .milliseconds(0)) }
    #expect(verdicts.count { $0 == .refused } == 5)
    let later = [Int64(10_000), 10_001].map { limit.admit(at: .milliseconds($0)) }
    #expect(later == [.admitted(suppressed: 5), .admitted(suppressed: 0)])
  }
}

@MainActor @Suite struct LogLimitsTests {
  private func channel(_ source: String?) -> LogChannel {
    LogChannel(component: .hook, isProblem: false, source: source)
  }

  @Test func `what a flood left out is reported when its interval is over, also if nothing follows`() {
    var limits = LogLimits()
    for _ in 0..<25 { _ = limits.admit(channel("a"), at: .milliseconds(0)) }
    _ = limits.admit(channel("b"), at: .milliseconds(5))
    #expect(limits.deadline == .milliseconds(10_000))
    let (early, due) = (limits.advance(to: .milliseconds(9_999)), limits.advance(to: .milliseconds(10_000)))
    #expect(early.isEmpty)
    #expect(due.map { "\($0.channel) \($0.suppressed)" } == ["hook: a 5"])
    #expect(limits.deadline == nil)
  }

  @Test func `many sources share one limit, and those that are quiet make room`() {
    var limits = LogLimits()
    for number in 0..<LogLimits.mostSources { _ = limits.admit(channel("\(number)"), at: .milliseconds(0)) }
    let verdicts = (0..<25).map { limits.admit(channel("late \($0)"), at: .milliseconds(1)) }
    #expect(verdicts.count { $0 == .refused } == 25 - LogLimit.burst)
    let others = limits.admit(channel("7"), at: .milliseconds(2))
    #expect(others == .admitted(suppressed: 0), "who has a limit keeps it")
    let later = (0..<25).map { limits.admit(channel("late \($0)"), at: .milliseconds(10_001)) }
    #expect(later.allSatisfy { $0 == .admitted(suppressed: 0) })
  }
}

@MainActor @Suite struct LatencyWindowTests {
  @Test func `the window holds the last samples only`() {
    var window = LatencyWindow()
    #expect(window.median == nil && window.maximum == nil)
    window.record(microseconds: 1_000_000)
    for _ in 0..<LatencyWindow.size { window.record(microseconds: 5) }
    #expect(window.median == 5 && window.maximum == 5)
  }

  @Test func `a quantile is the smallest sample that so many do not exceed`() {
    var window = LatencyWindow()
    for sample in (1...100).reversed() { window.record(microseconds: Int64(sample)) }
    #expect([0, 0.5, 0.9, 0.99, 1].map { window.quantile($0) } == [1, 50, 90, 99, 100])
  }
}

@MainActor @Suite struct LeaseTests {
  @Test func `after a stall a lease ends only when the client had time to renew it`() {
    let holds = ClientHolds()
    let end = Instant.now
    let control = (name: "volume", id: ControlID(0, generation: 0))
    _ = holds.add("a", of: 1, .fader, on: control, until: end)
    let late = end + .seconds(3)
    #expect(holds.endLeases(at: late).isEmpty)
    #expect(holds.deadline == late + .milliseconds(250))
    #expect(holds.endLeases(at: late + .milliseconds(250)).count == 1)
  }
}

@MainActor @Suite struct PlacesTests {
  @Test func `an ordinary user's daemon lives in the user's directories`() {
    let paths = Paths(
      scope: nil, environment: { ["HOME": "/home/ann", "XDG_RUNTIME_DIR": "/run/user/1000"][$0] },
      userID: 1000)
    #expect(paths.scope == .user)
    #expect(paths.configuration == "/home/ann/.config/stepperd/stepperd.toml")
    #expect(paths.socket == "/run/user/1000/stepperd/org.stepperd")
    #expect(paths.state == "/home/ann/.local/state/stepperd")
  }

  @Test func `the service has what the service manager says`() {
    let paths = Paths(
      scope: nil,
      environment: {
        [
          "INVOCATION_ID": "1", "STATE_DIRECTORY": "/var/lib/stepperd", "RUNTIME_DIRECTORY": "/run/stepperd",
        ][$0]
      }, userID: 0)
    #expect(paths.scope == .system)
    #expect(paths.configuration == "/etc/stepperd/stepperd.toml")
    #expect(paths.socket == "/run/stepperd/org.stepperd")
    #expect(paths.state == "/var/lib/stepperd")
  }

  @Test(arguments: [
    (["XDG_RUNTIME_DIR": "/run/user/0", "TERM": "xterm"], Paths.Scope.user), (["TERM": "xterm"], .system),
    (["INVOCATION_ID": "1", "XDG_RUNTIME_DIR": "/run/user/0"], .system),
  ])
  func `root in a session of its own runs a user's daemon`(
    _ environment: [String: String], _ scope: Paths.Scope
  ) {
    #expect(Paths(scope: nil, environment: { environment[$0] }, userID: 0).scope == scope)
  }

  @Test(
    arguments: [
      ("XDG_STATE_HOME", "state", "is not an absolute path and is ignored: 'state'"),
      ("XDG_STATE_HOME", "\n<3>/x", #"'\n<3>/x'"#), ("HOME", "../x", "not an absolute path"),
      ("XDG_RUNTIME_DIR", "run", "not an absolute path"), ("XDG_CONFIG_HOME", ".", "not an absolute path"),
      ("XDG_STATE_HOME", "/" + String(repeating: "x", count: 100_000), "is too long"),
    ])
  func `a folder that is none is a problem, and the usual one is used`(
    variable: String, value: String, problem: String
  ) {
    let others = variable == "HOME" ? [:] : ["HOME": "/home/u"]
    let usual = Paths(scope: .user, environment: { others[$0] }, userID: 1000)
    let environment = others.merging([variable: value]) { $1 }
    let paths = Paths(scope: .user, environment: { environment[$0] }, userID: 1000)
    #expect((paths.state, paths.socket) == (usual.state, usual.socket))
    #expect(paths.configuration == usual.configuration)
    #expect(paths.problems.count == 1)
    #expect(paths.problems.first?.hasPrefix(variable) == true)
    #expect(paths.problems.first?.contains(problem) == true, "\(paths.problems)")
    #expect(paths.problems.allSatisfy { $0.utf8.count < 250 })
  }

  @Test(arguments: [([:], true), (["HOME": "/home/u"], false), (["XDG_STATE_HOME": "/s"], false)])
  func `a user without a home is told where values are saved`(environment: [String: String], isTold: Bool) {
    let paths = Paths(scope: .user, environment: { environment[$0] }, userID: 0)
    #expect((paths.stateProblem?.hasSuffix("values are saved in /.local/state/stepperd") ?? false) == isTold)
  }

  @Test(
    arguments: [
      ("/a:/b", "/a"), (":/b", "/b"), ("/with\nnewline", "/with\nnewline"), (":", "/var/lib/stepperd"),
      ("", "/var/lib/stepperd"), ("a:/b", "/var/lib/stepperd"),
    ])
  func `of several folders the first is used`(value: String, state: String) {
    #expect(
      Paths(scope: .system, environment: { ["STATE_DIRECTORY": value][$0] }, userID: 998).state == state)
  }

  @Test func `the service's user is not taken for a user`() {
    let environment = ["INVOCATION_ID": "1", "STATE_DIRECTORY": "/var/lib/stepperd"]
    #expect(Paths(scope: .system, environment: { environment[$0] }, userID: 998).scope == .system)
  }
}
