import StepperCore
import Testing
@testable import StepperMQTT

/// The clock of the board is at 2026-11-23T00:17:52Z in all of them.
@Suite("The age of a command") struct CommandAgeTests {
  private var bench = Bench.online()
  private static let now = 1_795_393_072.0

  init() { setClock(to: Self.now) }

  private mutating func setClock(to seconds: Double) {
    let offset = Int64(seconds * 1e6) - bench.now.nanoseconds / 1_000
    bench.give(.clock(realtimeOffset: offset))
  }
  private var clockReports: Int {
    bench.reports.count { if case .clock = $0 { true } else { false } }
  }
  /// The error of its result; nil: it was done.
  private mutating func error(
    _ verb: String = "set", at time: Double, _ more: String = ""
  ) -> String? {
    bench.effects = []
    let member = verb == "step" ? "\"steps\":1," : verb == "set" ? "\"value\":1," : ""
    bench.message("stepperd/kiosk/volume/\(verb)", "{\(member)\"time\":\(time)\(more)}")
    let result = bench.payloads("stepperd/kiosk/volume/result").first
    guard let result else { return bench.calls.count == 1 ? nil : "neither done nor refused" }
    return bench.calls.isEmpty ? result : "done and refused"
  }

  @Test(arguments: ["set", "step", "reset"])
  mutating func `is at most that of the board, or its own`(_ verb: String) throws {
    #expect(error(verb, at: Self.now) == nil)
    #expect(error(verb, at: Self.now - 9.9) == nil)
    let late = try #require(error(verb, at: Self.now - 11))
    #expect(late.contains("\"error\":\"tooOld\",\"message\":\"its time is 11 s ago, which is too old"))
    #expect(error(verb, at: Self.now - 11, ",\"maxAge\":60") == nil)
    #expect(error(verb, at: Self.now - 3, ",\"maxAge\":2") != nil)
  }

  @Test mutating func `is not looked at in a command without a time`() {
    bench.message("stepperd/kiosk/volume/set", "30")
    bench.message("stepperd/kiosk/volume/set", "{\"value\":31}")
    #expect(bench.calls.count == 2)
  }

  @Test mutating func `grows while the command waits`() {
    // As many as there are at once.
    for _ in 0..<MQTTLimit.commandBurst { bench.message("stepperd/kiosk/volume/step", "x") }
    bench.effects = []
    bench.message("stepperd/kiosk/volume/set", "{\"value\":1,\"time\":\(Self.now)}")
    bench.give(.clock(realtimeOffset: bench.bridge.ages.realtimeOffset + 60_000_000))
    bench.pass(.seconds(1))
    #expect(bench.calls == [])
    #expect(bench.payloads("stepperd/kiosk/volume/result").first?.contains("tooOld") == true)
  }

  @Test mutating func `is that of a repeated command no more, for it has its result`() {
    let payload = "{\"value\":1,\"time\":\(Self.now),\"id\":\"a\"}"
    bench.message("stepperd/kiosk/volume/set", payload)
    bench.give(.answered(bench.lastCallNumber, .success(.example("volume", 1, sequence: 2))))
    bench.pass(.seconds(30))
    bench.message("stepperd/kiosk/volume/set", payload)
    let results = bench.payloads("stepperd/kiosk/volume/result")
    #expect(results.count == 2)
    #expect(Set(results).count == 1)
    // One that was refused is refused again, and is no command of before.
    let old = "{\"value\":1,\"time\":\(Self.now - 60),\"id\":\"b\"}"
    for _ in 0..<2 { bench.message("stepperd/kiosk/volume/set", old) }
    #expect(bench.payloads("stepperd/kiosk/volume/result").suffix(2).allSatisfy { $0.contains("tooOld") })
  }

  @Test mutating func `is not known to a board that is in 1970, which says so and does what it is told`() {
    setClock(to: 30)
    #expect(error(at: Self.now) == nil)
    #expect(bench.reports == [.clock(.behind(seconds: Int64(Self.now) - 30))])
    #expect(error(at: Self.now) == nil)
    #expect(bench.reports == [])
    #expect(bench.bridge.clockProblem == .behind(seconds: Int64(Self.now) - 30))
    setClock(to: Self.now)
    #expect(error(at: Self.now - 60) != nil)
    #expect(bench.bridge.clockProblem == nil)
  }

  @Test mutating func `is suspicious if that of three in a row is too great`() {
    setClock(to: Self.now + 3_600)
    for count in 1...4 {
      #expect(error(at: Self.now)?.contains("tooOld") == true)
      let problem = ClockProblem.ahead(seconds: 3_600, commands: count)
      #expect(bench.bridge.clockProblem == (count < 3 ? nil : problem))
      #expect(bench.reports.contains(.clock(problem)) == (count == 3))
    }
    setClock(to: Self.now)
    #expect(error(at: Self.now) == nil)
    #expect(bench.bridge.clockProblem == nil)
  }

  @Test
  mutating func `makes one report for two senders whose clocks differ, and another a minute after the last`()
  {
    var count = 0
    for second in stride(from: 0.0, through: 70, by: 7) {
      #expect(error(at: Self.now + second + 3_600) == nil)
      count += clockReports
      #expect(error(at: Self.now + second) == nil)
      #expect(bench.bridge.clockProblem == nil)
      bench.pass(.seconds(7))
    }
    #expect(count == 1)
    bench.pass(.seconds(53))
    #expect(error(at: Self.now + 3_730) == nil)
    #expect(clockReports == 1)
  }

  @Test(arguments: [
    ("\"value\":1,\"time\":1795393072123", "\"time\" is in seconds since 1970"),
    ("\"value\":1,\"time\":-1", "\"time\" is in seconds since 1970"),
    ("\"value\":1,\"time\":\"now\"", "\"time\": not a number"),
    ("\"value\":1,\"maxAge\":5", "\"maxAge\" needs \"time\""),
    ("\"value\":1,\"time\":1795393072,\"maxAge\":-5", "\"maxAge\" is a number of seconds"),
  ])
  mutating func `is refused where it is not understood`(_ members: String, _ message: String) {
    bench.message("stepperd/kiosk/volume/set", "{\(members)}")
    #expect(bench.calls == [])
    guard case .refused(_, let failure)? = bench.reports.first else {
      Issue.record("it is not reported")
      return
    }
    #expect(failure.message.hasPrefix(message), "\(failure.message)")
  }
}
