import StepperClient
import StepperCore
import StepperInterfaces
import Testing
@testable import StepperMQTT

/// A bridge with one remote, and the daemon that has its device.
private struct RemoteBench {
  static let topic = "zigbee2mqtt/Kitchen knob"
  var bench: Bench
  /// Calls that were made since they were taken.
  var calls: [DeviceAttachment.Call] {
    bench.effects.compactMap { if case .provide(_, let call) = $0 { call } else { nil } }
  }

  /// Online and attached.
  init(_ actions: RemoteActions, holdLimit: Duration = .seconds(10)) {
    var settings = Bench.settings
    settings.remotes = [.init(name: "knob", topic: Self.topic, actions, holdLimit: holdLimit)]
    bench = Bench.online(settings)
    bench.give(.provided(0, .attached(handle: "h1")))
    bench.effects = []
  }

  /// `CODE VALUE` of what was reported since the last time, with the daemon's answers; "lost …" of what came before it.
  mutating func take() -> [String] {
    var result: [String] = []
    while true {
      let new = calls
      bench.effects = []
      guard !new.isEmpty else { return result }
      for case .report(let report) in new {
        if let lost = report.lost { result.append("lost \(lost.keysDown)") }
        result += (report.frames ?? []).flatMap(\.events).map { "\($0.code) \($0.value)" }
        bench.give(.provided(0, .done))
      }
    }
  }

  mutating func say(_ payload: String, isRetained: Bool = false) {
    bench.message(Self.topic, payload, isRetained: isRetained)
  }

  /// The daemon does nothing but answer meanwhile.
  mutating func pass(_ seconds: Int64) -> [String] {
    (0..<seconds * 10).flatMap { _ in
      bench.pass(.milliseconds(100))
      return take()
    }
  }
}

@Suite("Knobs behind a broker") struct RemoteTests {
  @Test func `it is attached as a device of the provider mqtt, when its messages come`() throws {
    var settings = Bench.settings
    settings.remotes = [.init(name: "knob", topic: RemoteBench.topic, .tuya, holdLimit: .seconds(10))]
    var bench = Bench(settings)
    bench.give(.replied(.volume, realtimeOffset: 0))
    #expect(bench.effects.isEmpty)
    bench.connect()
    bench.settle()
    let attaches = bench.effects.compactMap { effect in
      if case .provide(0, .attach(let parameters)) = effect { parameters } else { nil }
    }
    let attach = try #require(attaches.first)
    #expect(attaches.count == 1)
    #expect(attach.identity == .init(provider: "mqtt", name: RemoteBench.topic, path: "knob"))
    #expect(attach.keys == ["BTN_0"])
    #expect(attach.relative?.map(\.code) == ["REL_DIAL", "REL_MISC"])
    #expect(attach.leaseMilliseconds == 3_000)
    #expect(bench.bridge.topics.filters(settings).contains(RemoteBench.topic))
  }

  /// As Zigbee2MQTT publishes them: with the link's quality, and one without an action between them.
  @Test func `IKEA's ring is held until it stops`() {
    var knob = RemoteBench(.ikea)
    knob.say(#"{"action":"brightness_move_up","action_rate":83,"battery":74,"linkquality":108}"#)
    #expect(knob.take() == ["KEY_UP 1"])
    knob.say(#"{"battery":74,"linkquality":108}"#)
    knob.say(#"{"action":"","battery":74,"linkquality":108}"#)
    #expect(knob.pass(2) == [], "the lease is renewed")
    knob.say(#"{"action":"brightness_stop","battery":74,"linkquality":111}"#)
    #expect(knob.take() == ["KEY_UP 0"])
    knob.say(#"{"action":"toggle","battery":74,"linkquality":111}"#)
    #expect(knob.take() == ["BTN_0 1", "BTN_0 0"])
  }

  @Test func `a lost stop ends by itself`() {
    var knob = RemoteBench(.ikea, holdLimit: .seconds(4))
    knob.say(#"{"action":"brightness_move_up"}"#)
    #expect(knob.take() == ["KEY_UP 1"])
    #expect(knob.pass(3) == [])
    #expect(knob.pass(1) == ["KEY_UP 0"])
    knob.say(#"{"action":"brightness_stop"}"#)
    #expect(knob.take() == [])
  }

  @Test func `the other direction ends a hold whose stop was lost`() {
    var knob = RemoteBench(.ikea)
    knob.say("brightness_move_up")
    knob.say("brightness_move_down")
    #expect(knob.take() == ["KEY_UP 1", "KEY_UP 0", "KEY_DOWN 1"])
    knob.say("off")
    #expect(knob.take() == ["KEY_DOWN 0", "KEY_DOWN 1", "KEY_DOWN 0"], "a press ends its own hold")
  }

  @Test func `a hold is renewed every second, so that the daemon knows that it is meant`() {
    var knob = RemoteBench(.ikea)
    knob.say("brightness_move_up")
    _ = knob.take()
    var renewals = 0
    for _ in 0..<45 {
      knob.bench.pass(.milliseconds(100))
      renewals += knob.calls.count
      _ = knob.take()
    }
    #expect(renewals == 4)
  }

  @Test(arguments: [
    (#"{"action":"rotate_right","linkquality":90}"#, "REL_DIAL 1"),
    (#"{"action":"rotate_left"}"#, "REL_DIAL -1"),
    (#"{"action":"brightness_step_up","action_step_size":13,"action_transition_time":0.01}"#, "REL_DIAL 1"),
    (#"{"action":"brightness_step_down","action_step_size":51}"#, "REL_DIAL -4"),
    (#"{"action":"color_temperature_step_up","action_step_size":69}"#, "REL_MISC 6"),
    (#"{"action":"brightness_step_up","action_step_size":1e9}"#, "REL_DIAL 32"),
    (#"{"action":"brightness_step_up","action_step_size":-1e-9}"#, "REL_DIAL 1"),
  ])
  func `Tuya's knob turns`(payload: String, event: String) {
    var knob = RemoteBench(.tuya)
    knob.say(payload)
    #expect(knob.take() == [event])
  }

  @Test func `Tuya's presses`() {
    var knob = RemoteBench(.tuya)
    knob.say(#"{"action":"double"}"#)
    #expect(knob.take() == ["BTN_0 1", "BTN_0 0", "BTN_0 1", "BTN_0 0"])
    knob.say(#"{"action":"hold"}"#)
    #expect(knob.take() + knob.pass(1) == ["BTN_0 1", "BTN_0 0"])
    knob.say(#"{"action":"hue_move","action_rate":15}"#)
    knob.say(#"{"action":"saturation_move","action_rate":15}"#)
    knob.say(#"{"action":"hue_stop"}"#)
    #expect(knob.take() == ["BTN_0 1", "BTN_0 0"])
  }

  /// One turn is two messages: that of the light's command says it again.
  @Test func `Hue's dial and buttons`() {
    var knob = RemoteBench(.hue)
    knob.say(
      #"{"action":"dial_rotate_right_slow","action_direction":"right","action_time":45,"action_type":"step"}"#
    )
    knob.say(#"{"action":"brightness_step_up","action_step_size":24}"#)
    knob.say(#"{"action":"dial_rotate_left_fast","action_time":150}"#)
    #expect(knob.take() == ["REL_DIAL 3", "REL_DIAL -10"])
    knob.say(#"{"action":"button_2_press"}"#)
    knob.say(#"{"action":"button_2_press_release"}"#)
    #expect(knob.take() == ["BTN_1 1", "BTN_1 0"])
    knob.say(#"{"action":"button_4_press_release"}"#)
    #expect(knob.take() == ["BTN_3 1", "BTN_3 0"], "the press was lost")
    knob.say(#"{"action":"button_3_press"}"#)
    knob.say(#"{"action":"button_3_hold"}"#)
    knob.say(#"{"action":"button_3_hold_release"}"#)
    knob.say(#"{"action":"button_3_hold_release"}"#)
    #expect(knob.take() == ["BTN_2 1", "BTN_2 0"])
  }

  @Test func `what is retained or comes twice moves nothing`() {
    var knob = RemoteBench(.tuya)
    knob.say(#"{"action":"rotate_right"}"#, isRetained: true)
    #expect(knob.take() == [])
    let message = #"{"action":"rotate_right","last_seen":"2026-11-27T10:00:00.000Z"}"#
    knob.say(message)
    knob.say(message)
    #expect(knob.take() == ["REL_DIAL 1"])
    let isEpoch = #"{"action":"rotate_right","last_seen":1764237600000}"#
    knob.say(isEpoch)
    knob.say(isEpoch)
    #expect(knob.take() == ["REL_DIAL 1"])
    for time in ["", #","last_seen":"2026-11-27T11:00:00+01:00""#] {
      knob.say(#"{"action":"rotate_right"\#(time)}"#)
      knob.say(#"{"action":"rotate_right"\#(time)}"#)
      #expect(knob.take() == ["REL_DIAL 1", "REL_DIAL 1"], "without milliseconds they may be two")
    }
  }

  @Test func `the end of the broker ends what is held`() {
    var knob = RemoteBench(.ikea)
    knob.say("brightness_move_up")
    _ = knob.take()
    knob.bench.give(.brokerLost("lost"))
    #expect(knob.take() == ["KEY_UP 0"])
  }

  @Test func `the end of the program does not wait for what is held`() {
    var knob = RemoteBench(.ikea)
    knob.say("brightness_move_up")
    knob.bench.acknowledges = false
    let begin = knob.bench.now
    knob.bench.give(.stop)
    // Else it would be called again and again.
    #expect(knob.bench.bridge.deadline == begin + .seconds(2))
    knob.bench.pass(.seconds(2))
    #expect(knob.bench.effects.last == .stopped)
  }

  @Test func `a daemon that comes back is told how it stands`() {
    var knob = RemoteBench(.ikea)
    knob.say("brightness_move_up")
    _ = knob.take()
    knob.bench.give(.daemonLost)
    knob.say("toggle")
    #expect(knob.take() == [], "what it did meanwhile is not done later")
    knob.bench.give(.replied(.volume, realtimeOffset: 0))
    #expect(
      knob.calls == [.report(.init(handle: "h1", frames: [], lost: .init(keysDown: [], positions: [])))])
    knob.bench.effects = []
    knob.say("on")
    knob.bench.give(.provided(0, .refused(code: "noSuchHandle", message: "gone")))
    guard case .attach? = knob.calls.last else { return #expect(Bool(false), "\(knob.calls)") }
    knob.bench.effects = []
    knob.bench.give(.provided(0, .attached(handle: "h2")))
    #expect(knob.take() == ["KEY_UP 1", "KEY_UP 0"], "it was not done before")
  }

  @Test func `it is attached again when the connection has ended that it was attached by`() {
    var knob = RemoteBench(.ikea)
    knob.say("brightness_move_up")
    _ = knob.take()
    knob.bench.give(.devicesLost)
    guard case .attach? = knob.calls.last else { return #expect(Bool(false), "\(knob.calls)") }
    knob.bench.effects = []
    knob.bench.give(.provided(0, .attached(handle: "h2")))
    #expect(knob.take() == ["lost [\"KEY_UP\"]"], "it is told how the device stands")
  }

  @Test func `nothing is done twice when the answer is lost`() {
    var knob = RemoteBench(.tuya)
    knob.say("rotate_right")
    knob.bench.effects = []
    knob.bench.give(.provided(0, .absent))
    knob.bench.effects = []
    knob.bench.give(.provided(0, .attached(handle: "h2")))
    #expect(knob.take() == [])
  }

  @Test func `a slow daemon gets turns as one`() {
    var knob = RemoteBench(.tuya)
    for _ in 0..<20 { knob.say("rotate_right") }
    knob.say("rotate_left")
    #expect(knob.take() == ["REL_DIAL 1", "REL_DIAL 18"])
  }

  @Test func `a flood has an end`() {
    var knob = RemoteBench(.hue)
    for _ in 0..<1_000 {
      knob.say("button_1_press")
      knob.say("button_1_hold_release")
    }
    let events = knob.take()
    #expect(events.count <= 2 * 64 + 2)
    #expect(knob.bench.bridge.counts.dropped > 1_800)
    #expect(knob.pass(11).count <= 1)
    knob.say("dial_rotate_right_step")
    #expect(knob.take().last == "REL_DIAL 1")
  }

  @Test func `an unknown action is reported once`() {
    var knob = RemoteBench(.ikea)
    for _ in 0..<3 { knob.say(#"{"action":"dial_rotate_right_slow"}"#) }
    let refused = knob.bench.reports.count { if case .refused = $0 { true } else { false } }
    #expect(refused == 1)
    for index in 0..<100 { knob.say(#"{"action":"a\#(index)"}"#) }
    #expect(knob.bench.reports.count == 16)
  }

  @Test func `a daemon that does not take it is asked again`() {
    var settings = Bench.settings
    settings.remotes = [.init(name: "knob", topic: RemoteBench.topic, .ikea, holdLimit: .seconds(10))]
    var bench = Bench.online(settings)
    let refusal = MQTTCallFailure(code: "permissionDenied", message: "not you")
    bench.give(.provided(0, .refused(code: refusal.code, message: refusal.message)))
    #expect(bench.reports == [.remoteRefused(name: "knob", refusal)])
    #expect(bench.bridge.remoteProblem == .remoteRefused(name: "knob", refusal))
    bench.effects = []
    bench.pass(.seconds(10))
    let calls = bench.effects.count { if case .provide = $0 { true } else { false } }
    #expect(calls == 1)
    bench.give(.provided(0, .refused(code: refusal.code, message: refusal.message)))
    #expect(!bench.reports.contains(.remoteRefused(name: "knob", refusal)), "it is said once")
    // The daemon has read its configuration again.
    bench.effects = []
    bench.give(.replied(.volume, realtimeOffset: 0))
    #expect(bench.effects.contains { if case .provide = $0 { true } else { false } })
    bench.give(.provided(0, .attached(handle: "h1")))
    #expect(bench.bridge.remoteProblem == nil)
  }
}
