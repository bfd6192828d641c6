import StepperCore
import StepperInterfaces
import Testing
@testable import StepperMQTT

@Suite("A command") struct BridgeCommandTests {
  private func call(_ verb: String, _ payload: String) -> MQTTBridgeCall? {
    var bench = Bench.online()
    bench.message("stepperd/kiosk/volume/\(verb)", payload)
    return bench.calls.first
  }

  @Test func `each of as many commands as are taken at once has its result`() {
    var bench = Bench.online()
    bench.acknowledges = false
    for number in 0..<MQTTLimit.commandBurst {
      bench.message("stepperd/kiosk/volume/set", "{\"value\":1,\"id\":\"c\(number)\"}")
      bench.give(.answered(bench.lastCallNumber, .success(.example("volume", 1, sequence: 2))))
    }
    for _ in 0..<2 * MQTTLimit.commandBurst { bench.give(.acknowledged) }
    #expect(bench.payloads("stepperd/kiosk/volume/result").count == MQTTLimit.commandBurst)
  }

  @Test func `is a text, or an object`() {
    #expect(call("set", "30") == .set(control: "volume", .text("30"), ifSequence: nil))
    #expect(call("set", " 30\n") == .set(control: "volume", .text("30"), ifSequence: nil))
    #expect(call("set", "{\"value\":30.5}") == .set(control: "volume", .number(30.5), ifSequence: nil))
    #expect(
      call("set", "{\"text\":\"on\",\"if_sequence\":7}")
        == .set(control: "volume", .text("on"), ifSequence: 7))
    #expect(
      call("set", "{\"text\":\"\",\"ifSequence\":7}") == .set(control: "volume", .text(""), ifSequence: 7))
    #expect(call("step", "-3") == .step(control: "volume", steps: -3, isPage: false))
    #expect(
      call("step", "{\"steps\":1,\"unit\":\"page\"}") == .step(control: "volume", steps: 1, isPage: true))
    #expect(call("reset", "") == .reset(control: "volume"))
    #expect(call("reset", "PRESS") == .reset(control: "volume"))
  }

  @Test(arguments: [
    ("set", "{"), ("set", "{\"value\":1,\"text\":\"a\"}"), ("set", "{\"value\":\"1\"}"), ("set", "{}"),
    ("set", "{\"value\":1e999}"), ("set", String(repeating: "1", count: 5_000)), ("set", "a\0b"),
    ("set", String(repeating: "{\"a\":", count: 800)), ("step", "1.5"), ("step", "{\"steps\":0.5}"),
    ("step", "{\"steps\":1,\"unit\":\"mile\"}"), ("step", "99999999999999999999"),
    ("set", "{\"value\":1,\"id\":\"\(String(repeating: "x", count: 65))\"}"), ("reset", "{\"id\":[]}"),
  ])
  func `that is not understood is answered and reported, and not done`(_ verb: String, _ payload: String) {
    var bench = Bench.online()
    bench.message("stepperd/kiosk/volume/\(verb)", payload)
    #expect(bench.calls == [])
    #expect(bench.payloads("stepperd/kiosk/volume/result").count == 1)
    #expect(bench.payloads("stepperd/kiosk/volume/result")[0].contains("\"error\":\"invalidParameter\""))
    #expect(bench.reports.count == 1)
  }

  @Test(arguments: [
    (
      "set", "{\"value\":1,\"ifsequence\":7,\"id\":\"a\"}",
      "\"ifsequence\": unknown field; a set has \"value\" or \"text\", \"ifSequence\", \"instance\", \"time\", \"maxAge\" and \"id\""
    ),
    ("set", "{\"value\":\"1\",\"id\":\"a\"}", "\"value\": not a number that a double holds; a set has"),
    ("set", "{\"value\":1,\"if_sequence\":0.5,\"id\":\"a\"}", "\"if_sequence\": not a whole number"),
    ("set", "{\"id\":\"a\"}", "an object needs either \"value\" or \"text\""),
    (
      "step", "{\"ifSequence\":1,\"steps\":1,\"id\":\"a\"}",
      "\"ifSequence\": unknown field; a step has \"steps\""
    ),
    ("step", "{\"id\":\"a\"}", "\"steps\": missing; a step has"),
    (
      "reset", "{\"value\":1,\"id\":\"a\"}",
      "\"value\": unknown field; a reset has \"time\", \"maxAge\" and \"id\""
    ),
  ])
  func `with a wrong member is refused by its name, and keeps its id`(
    _ verb: String, _ payload: String, _ message: String
  ) throws {
    var bench = Bench.online()
    bench.message("stepperd/kiosk/volume/\(verb)", payload)
    #expect(bench.calls == [])
    let result = try #require(bench.payloads("stepperd/kiosk/volume/result").first)
    #expect(result.hasPrefix("{\"id\":\"a\",\"error\":\"invalidParameter\""))
    guard case .refused(_, let failure)? = bench.reports.first else {
      Issue.record("it is not reported")
      return
    }
    #expect(failure.message.hasPrefix(message), "\(failure.message)")
  }

  @Test(arguments: [("set", "{\"value\":30,\"id\":1}"), ("step", "{\"steps\":2,\"id\":1}")])
  func `that is sent again within a minute is answered again, and done once`(
    _ verb: String, _ payload: String
  ) {
    var bench = Bench.online()
    let topic = "stepperd/kiosk/volume/\(verb)"
    bench.message(topic, payload)
    // Before the daemon has answered, and after it.
    bench.message(topic, payload)
    #expect(bench.payloads("stepperd/kiosk/volume/result") == [])
    bench.give(.answered(bench.lastCallNumber, .success(.example("volume", 30, sequence: 2))))
    bench.pass(.seconds(59))
    bench.message(topic, payload)
    #expect(bench.calls.count == 1)
    let results = bench.payloads("stepperd/kiosk/volume/result")
    #expect(results.count == 2)
    #expect(Set(results).count == 1)
    bench.pass(.seconds(2))
    bench.message(topic, payload)
    #expect(bench.calls.count == 2)
  }

  @Test func `is not done again after a change that needs another connection, and its result is sent before`()
  {
    var bench = Bench.online()
    let (topic, step) = ("stepperd/kiosk/volume/step", "{\"steps\":1,\"id\":\"a\"}")
    bench.message(topic, step)
    bench.give(.stop)
    bench.give(.answered(bench.lastCallNumber, .success(.example("volume", 51, sequence: 2))))
    #expect(bench.payloads("stepperd/kiosk/volume/result").count == 1)
    var next = Bench()
    next.bridge = MQTTBridge(Bench.settings, seed: 1, doneCommands: bench.bridge.doneCommands)
    next.now = bench.now
    next.give(.replied(.volume, realtimeOffset: 0))
    next.connect()
    next.settle()
    next.message(topic, step)
    #expect(next.calls.isEmpty)
    #expect(next.payloads("stepperd/kiosk/volume/result") == bench.payloads("stepperd/kiosk/volume/result"))
  }

  @Test func `has an id of its own`() {
    var bench = Bench.online()
    bench.message("stepperd/kiosk/volume/set", "{\"value\":30,\"id\":\"a\"}")
    bench.message("stepperd/kiosk/volume/set", "{\"value\":31,\"id\":\"a\"}")
    #expect(bench.calls.count == 1)
    #expect(bench.payloads("stepperd/kiosk/volume/result")[0].contains("\"error\":\"repeatedID\""))
    // Another topic is another command.
    bench.message("stepperd/kiosk/volume/step", "{\"steps\":1,\"id\":\"a\"}")
    #expect(bench.calls.count == 2)
  }

  @Test func `that was not done, because the daemon was not there, is done when it is sent again`() {
    var bench = Bench.online()
    bench.message("stepperd/kiosk/volume/step", "{\"steps\":1,\"id\":\"a\"}")
    bench.give(.daemonLost)
    bench.give(.answered(bench.lastCallNumber, .failure(.daemonAway)))
    #expect(bench.payloads("stepperd/kiosk/volume/result").last?.contains("\"disconnected\"") == true)
    bench.give(.replied(.volume, realtimeOffset: 0))
    bench.message("stepperd/kiosk/volume/step", "{\"steps\":1,\"id\":\"a\"}")
    #expect(bench.calls.count == 2)
  }

  @Test func `that was perhaps done, because the daemon went away before its answer, is not done again`() {
    var bench = Bench.online()
    let step = "{\"steps\":1,\"id\":\"a\"}"
    bench.message("stepperd/kiosk/volume/step", step)
    bench.give(.daemonLost)
    bench.give(.answered(bench.lastCallNumber, .failure(.unknownOutcome)))
    bench.give(.replied(.volume, realtimeOffset: 0))
    bench.message("stepperd/kiosk/volume/step", step)
    #expect(bench.calls.count == 1)
    let results = bench.payloads("stepperd/kiosk/volume/result")
    #expect(results.count == 2)
    #expect(Set(results).count == 1)
    #expect(results[0].hasPrefix("{\"id\":\"a\",\"error\":\"unknownOutcome\""))
    bench.pass(.seconds(61))
    bench.message("stepperd/kiosk/volume/step", step)
    #expect(bench.calls.count == 2)
  }

  @Test func `for an unknown control has a result`() {
    var bench = Bench.online(targeting)
    bench.message("stepperd/kiosk/light/target", "{\"value\":40,\"revision\":\"r1\"}", isRetained: true)
    bench.message("stepperd/kiosk/light/set", "{\"value\":40,\"id\":7}")
    bench.message("stepperd/kiosk/Light/set", "{\"value\":40,\"id\":7}")
    #expect(bench.calls == [])
    let results = bench.payloads("stepperd/kiosk/light/result")
    #expect(results.count == 2)
    #expect(results.first?.hasPrefix("{\"id\":\"r1\",\"error\":\"noSuchControl\"") == true)
    #expect(results.last?.hasPrefix("{\"id\":7,\"error\":\"noSuchControl\"") == true)
    // It is no name of a control, so that it has no topic.
    #expect(bench.payloads("stepperd/kiosk/Light/result") == [])
  }

  // MARK: Names

  @Test func `for a name with a dot has a colon in its topic`() {
    var settings = Bench.settings
    settings.groups = ["lobby"]
    var bench = Bench(settings)
    bench.give(.replied(.snapshot([(.example("left.gain"), .example("left.gain"))]), realtimeOffset: 0))
    bench.connect()
    bench.settle()
    #expect(bench.payloads("stepperd/kiosk/left:gain") == ["50"])
    #expect(bench.payloads("stepperd/kiosk/left:gain/state").count == 1)
    #expect(
      bench.payloads("homeassistant/device/kiosk/config").first?.contains(
        "\"~\":\"stepperd/kiosk/left:gain\",\"stat_t\":\"~\",\"cmd_t\":\"~/set\"") == true)
    #expect(bench.published.allSatisfy { !$0.topic.contains(".") })
    for topic in ["kiosk/left:gain", "$group/lobby/left:gain", "kiosk/left.gain"] {
      bench.effects = []
      bench.message("stepperd/\(topic)/set", "{\"value\":3,\"id\":1}")
      #expect(bench.calls == [.set(control: "left.gain", .number(3), ifSequence: nil)])
      bench.give(.answered(bench.lastCallNumber, .success(.example("left.gain", 3, sequence: 2))))
      #expect(bench.payloads("stepperd/kiosk/left:gain/result").count == 1)
    }
  }

  @Test(arguments: [
    "none", "None", "NONE", "unknown", "Unavailable", "online", "offline", "", "\"quoted\"", "{auto}",
    "{\"value\":1}", " lead", "trail ", "\ttab", "line\n", "end\r\n", " ", " {",
  ])
  func `sets a word to what its payload says`(_ word: String) {
    let payload = PlainPayload.text(word)
    #expect(payload != PlainPayload.unset)
    #expect(payload.hasPrefix("\""))
    #expect(call("set", payload) == .set(control: "volume", .text(word), ifSequence: nil))
  }

  @Test(arguments: ["radio", "nonesuch", "\"", "\"a", "\"a\"b", "\"a\",\"text\":\"b\"", "'none'"])
  func `sets other words to themselves`(_ word: String) {
    #expect(call("set", word) == .set(control: "volume", .text(word), ifSequence: nil))
  }

  @Test func `of any bytes does no harm`() {
    var random = Jitter(seed: 7)
    var bench = Bench.online()
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        Bool.random(using: &random) ? UInt8.random(in: 0...255, using: &random) : UInt8(ascii: "{")
      }
      let topic =
        ["volume/set", "volume/step", "x/reset", "//", "/set", "volume/target", "info", "status"]
        .randomElement(using: &random) ?? ""
      let isRetained = Bool.random(using: &random)
      bench.give(.received(MQTTMessage("stepperd/kiosk/\(topic)", bytes, isRetained: isRetained)))
      bench.give(
        .received(MQTTMessage("homeassistant/device/kiosk/config", bytes, isRetained: isRetained)))
      bench.pass(.milliseconds(100))
    }
    bench.pass(.seconds(10))
    #expect(bench.bridge.isOnline)
  }

  @Test func `with an id has a result`() {
    var bench = Bench.online()
    bench.message("stepperd/kiosk/volume/set", "{\"value\":30,\"id\":\"a\\\"b\"}")
    bench.give(.answered(bench.lastCallNumber, .success(.example("volume", 30, sequence: 2))))
    let results = bench.payloads("stepperd/kiosk/volume/result")
    #expect(results.count == 1)
    #expect(results[0].hasPrefix("{\"id\":\"a\\\"b\",\"ok\":true,\"state\":{\"value\":30,"))
    bench.message("stepperd/kiosk/volume/set", "{\"value\":300,\"id\":7}")
    let failure = MQTTCallFailure(code: "outOfRange", message: "volume cannot be 300: it goes from 0 to 100")
    bench.give(.answered(bench.lastCallNumber, .failure(failure)))
    #expect(
      bench.payloads("stepperd/kiosk/volume/result")[1].hasPrefix(
        "{\"id\":7,\"error\":\"outOfRange\",\"message\":\"volume cannot be 300: it goes from 0 to 100\",\"state\":{\"value\":50,"
      ))
  }

  @Test func `without an id has a result only if it fails`() {
    var bench = Bench.online()
    bench.message("stepperd/kiosk/volume/set", "30")
    bench.give(.answered(bench.lastCallNumber, .success(.example("volume", 30, sequence: 2))))
    #expect(bench.payloads("stepperd/kiosk/volume/result") == [])
  }

  @Test func `that is retained is ignored, and reported once`() {
    var bench = Bench.online()
    for _ in 0..<3 { bench.message("stepperd/kiosk/volume/set", "99", isRetained: true) }
    bench.message("stepperd/kiosk/volume/reset", "PRESS", isRetained: true)
    #expect(bench.calls == [])
    #expect(
      bench.reports == [
        .retainedCommand(topic: "stepperd/kiosk/volume/set"),
        .retainedCommand(topic: "stepperd/kiosk/volume/reset"),
      ])
    // Nor is one that is cleared before it was seen, and where the broker passes the flag on clearing is known by that.
    bench.message("stepperd/kiosk/light/reset", "", isRetained: true)
    #expect(bench.reports.count == 2)
    // Clearing them is no command, but a reset is after that.
    bench.message("stepperd/kiosk/volume/set", "")
    bench.message("stepperd/kiosk/volume/reset", "")
    #expect(bench.calls == [])
    bench.message("stepperd/kiosk/volume/reset", "")
    #expect(bench.calls == [.reset(control: "volume")])
  }

  @Test func `for a group is done by the boards that have the control`() {
    var settings = Bench.settings
    settings.groups = ["lobby"]
    var bench = Bench.online(settings)
    bench.message("stepperd/$group/lobby/volume/set", "20")
    bench.message("stepperd/$group/lobby/light/set", "20")
    bench.message("stepperd/$group/lobby/volume/set", "90", isRetained: true)
    #expect(bench.calls == [.set(control: "volume", .text("20"), ifSequence: nil)])
    #expect(bench.reports == [.retainedCommand(topic: "stepperd/$group/lobby/volume/set")])
  }

  @Test func `is refused while the daemon is away`() {
    var bench = Bench.online()
    bench.give(.daemonLost)
    bench.effects = []
    bench.message("stepperd/kiosk/volume/set", "{\"value\":1,\"id\":\"a\"}")
    #expect(bench.calls == [])
    #expect(bench.payloads("stepperd/kiosk/volume/result")[0].contains("\"error\":\"disconnected\""))
  }

  @Test func `that was called when the daemon went away is answered`() {
    var bench = Bench.online()
    bench.message("stepperd/kiosk/volume/set", "{\"value\":1,\"id\":\"a\"}")
    let number = bench.lastCallNumber
    bench.give(.daemonLost)
    bench.give(.answered(number, .success(.example())))
    #expect(bench.payloads("stepperd/kiosk/volume/result").count == 1)
  }

  @Test func `of another instance is refused`() {
    var bench = Bench.online()
    bench.message(
      "stepperd/kiosk/volume/set", "{\"value\":1,\"if_sequence\":1,\"instance\":\"old\",\"id\":1}")
    #expect(bench.calls == [])
    #expect(bench.payloads("stepperd/kiosk/volume/result")[0].contains("\"error\":\"changed\""))
  }

  @Test
  func `of an instance that has ended has its result when it comes again, and is refused if it was not done`()
  {
    var bench = Bench.online()
    let done = "{\"value\":1,\"instance\":\"one\",\"id\":\"a\"}"
    let other = "{\"value\":1,\"instance\":\"one\",\"id\":\"b\"}"
    bench.message("stepperd/kiosk/volume/set", done)
    bench.give(.answered(bench.lastCallNumber, .success(.example("volume", 1, sequence: 2))))
    bench.give(.replied(.snapshot([(.example(), .example())], instance: "two"), realtimeOffset: 0))
    bench.effects = []
    bench.message("stepperd/kiosk/volume/set", done)
    #expect(bench.calls == [])
    #expect(bench.payloads("stepperd/kiosk/volume/result").first?.contains("\"ok\":true") == true)
    for count in 1...2 {
      bench.effects = []
      bench.message("stepperd/kiosk/volume/set", other)
      #expect(
        bench.payloads("stepperd/kiosk/volume/result").first?.contains("\"error\":\"changed\"") == true,
        "\(count)")
    }
  }

  @Test func `comes through at 50 a second, and of a flood the last set is done`() {
    var bench = Bench.online()
    for value in 1...5_000 {
      bench.message("stepperd/kiosk/volume/set", "\(value % 100)")
      bench.give(.answered(bench.lastCallNumber, .success(.example())))
      if value.isMultiple(of: 5) { bench.pass(.milliseconds(1)) }
    }
    #expect(bench.calls.count <= 160)
    bench.message("stepperd/kiosk/volume/set", "77")
    bench.pass(.seconds(1))
    #expect(bench.calls.last == .set(control: "volume", .text("77"), ifSequence: nil))
    #expect(bench.dropReports.count == 1)
  }

  @Test func `waits while the daemon answers none`() {
    var bench = Bench.online()
    for value in 0..<90 { bench.message("stepperd/kiosk/volume/set", "\(value)") }
    #expect(bench.calls.count == MQTTLimit.calls)
    for number in 1...UInt32(MQTTLimit.calls) { bench.give(.answered(number, .success(.example()))) }
    #expect(bench.calls.last == .set(control: "volume", .text("89"), ifSequence: nil))
  }

  // MARK: Targets

  private var targeting: MQTTBridgeSettings {
    var settings = Bench.settings
    settings.hasTargets = true
    return settings
  }

  @Test func `target is applied once, also after an absence`() {
    var bench = Bench.online(targeting)
    bench.message("stepperd/kiosk/volume/target", "{\"value\":40,\"revision\":\"r1\"}", isRetained: true)
    #expect(bench.calls == [.set(control: "volume", .number(40), ifSequence: nil)])
    bench.give(.answered(bench.lastCallNumber, .success(.example("volume", 40, sequence: 2))))
    #expect(bench.effects.contains(.keepRevisions(["volume": "r1"])))
    #expect(bench.payloads("stepperd/kiosk/volume/result")[0].hasPrefix("{\"id\":\"r1\",\"ok\":true"))
    // The hand has moved it since; the broker sends the target again after each connection.
    var again = Bench.online(targeting, revisions: ["volume": "r1"])
    again.message("stepperd/kiosk/volume/target", "{\"value\":40,\"revision\":\"r1\"}", isRetained: true)
    #expect(again.calls == [])
    again.message("stepperd/kiosk/volume/target", "{\"value\":41,\"revision\":\"r2\"}", isRetained: true)
    #expect(again.calls.count == 1)
  }

  @Test func `target waits for the daemon`() {
    var bench = Bench(targeting)
    bench.connect()
    bench.message("stepperd/kiosk/volume/target", "{\"value\":40,\"revision\":1}", isRetained: true)
    bench.message("stepperd/kiosk/volume/target", "{\"value\":41,\"revision\":2}", isRetained: true)
    bench.settle()
    #expect(bench.calls == [])
    bench.give(.replied(.volume, realtimeOffset: 0))
    bench.give(.time)
    #expect(bench.calls == [.set(control: "volume", .number(41), ifSequence: nil)])
    // The daemon goes away before it answers.
    bench.give(.daemonLost)
    bench.give(.answered(bench.lastCallNumber, .failure(.unknownOutcome)))
    bench.give(.replied(.volume, realtimeOffset: 0))
    #expect(bench.calls.count == 2)
    bench.give(.answered(bench.lastCallNumber, .success(.example("volume", 41, sequence: 2))))
    #expect(bench.effects.contains(.keepRevisions(["volume": "2"])))
  }

  @Test func `target that the daemon refuses is not tried again`() {
    var bench = Bench.online(targeting)
    bench.message("stepperd/kiosk/volume/target", "{\"value\":400,\"revision\":\"r\"}", isRetained: true)
    bench.give(
      .answered(bench.lastCallNumber, .failure(MQTTCallFailure(code: "outOfRange", message: "too much"))))
    #expect(bench.effects.contains(.keepRevisions(["volume": "r"])))
    #expect(bench.payloads("stepperd/kiosk/volume/result")[0].contains("outOfRange"))
  }

  @Test func `target is ignored unless it was configured`() {
    var bench = Bench.online()
    bench.message("stepperd/kiosk/volume/target", "{\"value\":40,\"revision\":\"r1\"}", isRetained: true)
    bench.message("stepperd/kiosk/light/target", "{\"value\":40,\"revision\":\"r1\"}", isRetained: true)
    bench.pass(.seconds(1))
    #expect(bench.calls == [])
    #expect(bench.published == [])
  }
}
