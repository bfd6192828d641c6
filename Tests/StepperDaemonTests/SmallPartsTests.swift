import StepperCore
import Testing

@testable import StepperDaemon

@MainActor @Suite struct VirtualHoldsTests {
  private let plus = VirtualHolds.Button(device: "panel", input: .plus)

  @Test func `a button is down while anybody holds it`() {
    var holds = VirtualHolds()
    let pressed = [holds.press(plus, by: .session(1)), holds.press(plus, by: .session(2))]
    #expect(pressed == [true, false], "the first press moves it")
    let released = [holds.release(plus, by: .session(1)), holds.release(plus, by: .session(2))]
    #expect(released == [false, true], "the last release moves it")
  }

  @Test func `only who holds it can let it go`() {
    var holds = VirtualHolds()
    _ = holds.press(plus, by: .session(1))
    let others = holds.release(plus, by: .session(2))
    #expect(!others)
    let released = [holds.release(all: .session(2)), holds.release(all: .session(1))]
    #expect(released == [[], [plus]])
  }
}

@MainActor @Suite struct RateLimitTests {
  @Test func `a flood is cut and counted`() {
    var limit = RateLimit()
    let verdicts = (0..<25).map { _ in limit.admit(at: .milliseconds(0)) }
    #expect(verdicts.count { $0 == .refused } == 5)
    let later = [Int64(10_000), 10_001].map { limit.admit(at: .milliseconds($0)) }
    #expect(later == [.admitted(suppressed: 5), .admitted(suppressed: 0)])
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
}

@MainActor @Suite struct PlacesTests {
  @Test func `an ordinary user's daemon lives in the user's directories`() {
    let places = Places(
      scope: nil, environment: ["HOME": "/home/ann", "XDG_RUNTIME_DIR": "/run/user/1000"], userID: 1000)
    #expect(places.scope == .user)
    #expect(places.configuration == "/home/ann/.config/stepperd/stepperd.toml")
    #expect(places.socket == "/run/user/1000/stepperd/org.stepperd")
    #expect(places.state == "/home/ann/.local/state/stepperd")
  }

  @Test func `the service has what the service manager says`() {
    let places = Places(
      scope: nil,
      environment: [
        "INVOCATION_ID": "1", "STATE_DIRECTORY": "/var/lib/stepperd", "RUNTIME_DIRECTORY": "/run/stepperd",
      ], userID: 0)
    #expect(places.scope == .system)
    #expect(places.configuration == "/etc/stepperd/stepperd.toml")
    #expect(places.socket == "/run/stepperd/org.stepperd")
    #expect(places.state == "/var/lib/stepperd")
  }

  @Test(arguments: [
    (["XDG_RUNTIME_DIR": "/run/user/0", "TERM": "xterm"], Places.Scope.user), (["TERM": "xterm"], .system),
    (["INVOCATION_ID": "1", "XDG_RUNTIME_DIR": "/run/user/0"], .system),
  ])
  func `root in a session of its own runs a user's daemon`(
    _ environment: [String: String], _ scope: Places.Scope
  ) {
    #expect(Places(scope: nil, environment: environment, userID: 0).scope == scope)
  }

  @Test func `the service's user is not taken for a user`() {
    let environment = ["INVOCATION_ID": "1", "STATE_DIRECTORY": "/var/lib/stepperd"]
    #expect(Places(scope: .system, environment: environment, userID: 998).scope == .system)
  }
}
