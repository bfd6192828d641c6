import StepperCore
import StepperInterfaces
import Testing
@testable import StepperMQTT

/// How a daemon behaves under a flood.
enum DaemonManner: CaseIterable {
  case answers, refuses, isSilent, isAway, comesAndGoes
  /// It says that it is stopping, and does not stop.
  case stops

  func answer(_ number: UInt32) -> MQTTBridgeInput? {
    switch self {
    case .answers, .comesAndGoes: .answered(number, .success(.example("a", 1, sequence: Int64(number))))
    case .refuses: .answered(number, .failure(MQTTCallFailure(code: "outOfRange", message: "too much")))
    case .stops:
      .answered(number, .failure(MQTTCallFailure(code: "stopping", message: "it stops", isAbsence: true)))
    case .isSilent, .isAway: nil
    }
  }
}

@Suite("Of a flood from the network") struct GateTests {
  private static let settings: MQTTBridgeSettings = {
    var settings = Bench.settings
    settings.hasTargets = true
    settings.groups = ["lobby"]
    return settings
  }()
  private static let controls = ["a", "b", "c"]
  private static let snapshot = ControlInterface.Subscribe.Reply.snapshot(
    controls.map { (.example($0), .example($0)) })

  private func online() -> Bench {
    var bench = Bench(Self.settings)
    bench.give(.replied(Self.snapshot, realtimeOffset: 0))
    bench.connect()
    bench.settle()
    bench.effects = []
    return bench
  }

  /// What a topic may be sent: good, bad, of no control, retained, empty and too large.
  private static func payload(_ index: Int, _ filter: String) -> (text: String, isRetained: Bool) {
    let value = filter.hasSuffix("step") ? "\"steps\":1" : "\"value\":\(index % 100)"
    let name = filter.hasSuffix("target") ? "revision" : "id"
    return switch index % 8 {
    case 0: ("{\(value),\"\(name)\":\(index)}", false)
    case 1: ("{\(value),\"\(name)\":\"\(index)\"}", true)
    case 2: ("{\"value\":[],\"id\":\(index)}", false)
    case 3: ("offline", false)
    case 4: ("online", false)
    case 5: ("", Bool(index % 16 == 5))
    case 6: (String(repeating: "1", count: MQTTLimit.commandBytes + 1), false)
    default: ("{\"controls\":[\"x\(index)\"],\"cmps\":{\"y\(index)\":{\"p\":\"number\"}}}", true)
    }
  }

  /// Every topic that is subscribed to, with every kind of message, at 300 a second. New topics are found here too.
  @Test(
    arguments: Topics(settings).filters(settings) + ["stepperd/kiosk/status", "stepperd/kiosk/info"],
    DaemonManner.allCases)
  func `the consequences are bounded`(_ filter: String, _ manner: DaemonManner) {
    var bench = online()
    if manner == .isAway { bench.give(.daemonLost) }
    bench.effects = []
    let seconds = 2
    for index in 0..<(300 * seconds) {
      let control = (Self.controls + ["none", "x\(index)"])[index % 5]
      let (text, isRetained) = Self.payload(index / 5, filter)
      let before = bench.effects.count
      bench.message(filter.replacing("+", with: control), text, isRetained: isRetained)
      bench.pass(.microseconds(3_333))
      for case .call(let number, _) in bench.effects[before...] {
        if let answer = manner.answer(number) { bench.give(answer) }
      }
      if manner == .comesAndGoes, index % 50 == 49 {
        bench.give(.daemonLost)
        bench.give(.replied(Self.snapshot, realtimeOffset: 0))
      }
    }
    let budget = MQTTLimit.commandBurst + 50 * seconds + 1
    let refused = bench.reports.count {
      switch $0 {
      case .refused, .retainedCommand: true
      default: false
      }
    }
    let results = bench.published.count { $0.topic.hasSuffix("/result") }
    let writes = bench.effects.count { if case .keepRevisions = $0 { true } else { false } }
    #expect(max(bench.calls.count, refused) <= budget, "each of them, as an answer may be a refusal")
    #expect(results <= budget + 10 + seconds, "one each, and those of what was dropped")
    #expect(writes <= seconds + 1)
    #expect(bench.reports.count - refused <= 2)
    let subscriptions = bench.effects.count { if case .subscribe = $0 { true } else { false } }
    #expect(subscriptions <= (manner == .comesAndGoes ? 12 : 1))
    let status = bench.published.count { $0.topic.hasSuffix("/status") }
    #expect(status <= seconds + (manner == .comesAndGoes ? 24 : 1))
  }

  @Test func `of good targets each control gets the newest, and revisions are written once a second`() {
    var bench = online()
    for index in 0..<1_500 {
      for control in Self.controls {
        bench.message("stepperd/kiosk/\(control)/target", "{\"value\":\(index % 100),\"revision\":\(index)}")
      }
      bench.pass(.milliseconds(2))
      bench.answerCalls()
    }
    #expect(bench.calls.count <= MQTTLimit.commandBurst + 50 * 3 + 1)
    let writes = bench.effects.count { if case .keepRevisions = $0 { true } else { false } }
    #expect(writes <= 4, "at once, and then once a second for 3 s")
    bench.pass(.seconds(2))
    bench.answerCalls()
    bench.pass(.seconds(2))
    #expect(
      bench.lastRevisions?.filter { !$0.key.contains(" ") } == ["a": "1499", "b": "1499", "c": "1499"],
      "the newest is applied and kept when the flood is over")
  }

  @Test func `bad targets, and those while the daemon is away, have no more results than others`() {
    var bench = online()
    for index in 0..<2_000 {
      bench.message("stepperd/kiosk/a/target", "{\"value\":[\(index)],\"revision\":\(index)}")
      bench.pass(.milliseconds(1))
    }
    #expect(bench.payloads("stepperd/kiosk/a/result").count <= MQTTLimit.commandBurst + 50 * 2 + 12)
    bench.give(.daemonLost)
    bench.effects = []
    for index in 0..<2_000 {
      bench.message("stepperd/kiosk/a/set", "{\"value\":1,\"id\":\(index)}")
      bench.pass(.milliseconds(1))
    }
    #expect(bench.payloads("stepperd/kiosk/a/result").count <= MQTTLimit.commandBurst + 50 * 2 + 12)
    #expect(bench.calls == [])
  }

  @Test func `a busy control keeps no other waiting`() {
    var bench = online()
    for index in 0..<1_000 {
      bench.message("stepperd/kiosk/a/set", "\(index)")
      bench.message("stepperd/kiosk/a/step", "1")
      if index == 500 { bench.message("stepperd/kiosk/c/set", "42") }
      bench.pass(.milliseconds(1))
      bench.answerCalls()
      if index == 600 {
        #expect(bench.calls.contains(.set(control: "c", .text("42"), ifSequence: nil)))
      }
    }
  }

  @Test func `what a control is to be keeps its order`() {
    var bench = online()
    // Refusals use up the budget.
    for _ in 0..<MQTTLimit.commandBurst { bench.message("stepperd/kiosk/b/step", "x") }
    bench.effects = []
    bench.message("stepperd/kiosk/a/set", "10")
    bench.message("stepperd/kiosk/a/reset", "")
    bench.message("stepperd/kiosk/a/step", "5")
    bench.pass(.seconds(1))
    #expect(bench.calls == [.reset(control: "a")], "the newest of both, and no step on top of it")
  }

  @Test func `the log says once a minute how many were dropped`() {
    var bench = online()
    for _ in 0..<150 {
      for index in 0..<100 { bench.message("stepperd/kiosk/a/set", "\(index)") }
      bench.pass(.seconds(1))
      bench.answerCalls()
    }
    let counts = bench.dropReports
    #expect(counts.count == 3)
    #expect(counts.first == 1)
    #expect(bench.reports.contains(.tooManyCommands(1, lastTopic: "stepperd/kiosk/a/set")))
    #expect(counts.dropFirst().allSatisfy { (1_000...6_000).contains($0) }, "\(counts)")
    bench.pass(.seconds(61))
    #expect(bench.dropReports.count == 4, "the rest")
  }

  @Test func `nothing is remembered of topics that are none`() {
    var bench = Bench(Self.settings)
    bench.connect()
    for index in 0..<5_000 {
      bench.message(
        "stepperd/kiosk/\(String(repeating: "x", count: 40))\(index)/target", "{}", isRetained: true)
      bench.message("stepperd/kiosk/\(String(repeating: "x", count: 65))/target", "{}", isRetained: true)
    }
    #expect(bench.bridge.gate.count == MQTTLimit.controls)
    // One that came too late, of a control that there is, is asked for again.
    bench.message("stepperd/kiosk/a/target", "{\"value\":1,\"revision\":1}", isRetained: true)
    bench.settle()
    bench.effects = []
    bench.give(.replied(Self.snapshot, realtimeOffset: 0))
    #expect(bench.bridge.gate.count == 0)
    #expect(bench.effects.contains(.subscribe(["stepperd/kiosk/+/target"])))
    bench.message("stepperd/kiosk/a/target", "{\"value\":1,\"revision\":1}", isRetained: true)
    #expect(bench.calls == [.set(control: "a", .number(1), ifSequence: nil)])
  }

  @Test func `Home Assistant, which starts again and again, is answered once in ten seconds`() {
    var bench = online()
    for _ in 0..<6_000 {
      bench.message("homeassistant/status", "online")
      bench.pass(.milliseconds(10))
    }
    #expect((1...7).contains(bench.lines.count { $0 == "discovery" }))
  }

  @Test func `a stop keeps the revision of what was asked for, and begins nothing`() {
    var bench = online()
    bench.message("stepperd/kiosk/a/target", "{\"value\":1,\"revision\":\"r\"}")
    let number = bench.lastCallNumber
    bench.give(.stop)
    bench.message("stepperd/kiosk/b/set", "1")
    #expect(!bench.effects.contains(.stopped))
    bench.give(.answered(number, .success(.example("a", 1, sequence: 2))))
    #expect(bench.effects.suffix(3) == [.keepRevisions(["a": "r"]), .disconnect, .stopped])
    #expect(bench.calls.count == 1)
  }

  @Test func `a stop waits for no daemon and no broker`() {
    for manner in [DaemonManner.isSilent, .isAway] {
      var bench = online()
      bench.message("stepperd/kiosk/a/target", "{\"value\":1,\"revision\":\"r\"}")
      bench.acknowledges = false
      bench.give(.stop)
      bench.give(manner == .isAway ? .daemonLost : .brokerLost("cut"))
      bench.pass(.seconds(2))
      #expect(bench.effects.last == .stopped)
    }
  }
}

extension Bench {
  /// The daemon does what it was asked for since the last time.
  mutating func answerCalls() {
    for case .call(let number, .set(let control, _, _)) in effects where bridge.calls[number] != nil {
      give(.answered(number, .success(.example(control, 1, sequence: Int64(number)))))
    }
    for number in bridge.calls.keys.sorted() {
      give(.answered(number, .success(.example("a", 1, sequence: Int64(number)))))
    }
  }

  var lastRevisions: [String: String]? {
    effects.compactMap { if case .keepRevisions(let revisions) = $0 { revisions } else { nil } }.last
  }
}
