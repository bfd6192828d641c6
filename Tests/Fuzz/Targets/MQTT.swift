import StepperClient
import StepperCore
import StepperInterfaces
import StepperMQTT
import Varlink

extension FuzzTarget {
  /// What a bridge to MQTT is given by the network, by a daemon and by time, in any order.
  ///
  /// A header of two bytes has its settings; then come events: a byte of its kind, and what it needs.
  static let mqtt = FuzzTarget("mqtt", upTo: 2_048, within: .milliseconds(500)) { input in
    var run = MQTTRun(ByteSource(input))
    try run.run()
  }
}

/// One bridge, and what must hold for everything that it wants done.
private struct MQTTRun {
  private var source: ByteSource
  private var bridge: MQTTBridge
  private var now = Instant.milliseconds(1_000)
  private let start = Instant.milliseconds(1_000)
  private var unanswered: [UInt32] = []
  private var inFlight = 0
  // What was wanted so far.
  private var calls = 0
  private var refusals = 0
  private var writes = 0
  private var results = 0
  private var isStopped = false
  /// Of the remote: whether a call is not answered, and what it is to return.
  private var provided: DeviceAttachment.Answer?
  /// What the broker passes back, as the board has subscribed to it.
  private var echoes: [MQTTMessage] = []

  private static let base = "stepperd/kiosk/"
  private static let remote = "zigbee2mqtt/Kitchen knob"
  private static let discovery = "homeassistant/device/kiosk/config"

  init(_ source: ByteSource) {
    var source = source
    let flags = source.byte()
    var settings = MQTTBridgeSettings(id: "kiosk", name: "Kiosk")
    settings.hasTargets = flags & 1 == 0
    settings.hasDiscovery = flags & 2 == 0
    settings.groups = flags & 4 == 0 ? ["lobby"] : []
    if flags & 8 != 0 {
      settings.remotes = [.init(name: "knob", topic: Self.remote, .hue, holdLimit: .seconds(10))]
    }
    bridge = MQTTBridge(settings, seed: UInt64(source.byte()))
    self.source = source
  }

  mutating func run() throws {
    try give(.start)
    while !source.isEmpty, !isStopped { try event() }
    try give(.stop)
    try pass(.seconds(10))
    try require(isStopped, "it does not stop")
  }

  private mutating func event() throws {
    switch source.byte() % 18 {
    case 0: try pass(.milliseconds(Int64(source.byte())))
    case 1: try pass(.seconds(Int64(source.byte())))
    case 2: try reply()
    case 3: try give(.replied(Self.snapshot, realtimeOffset: source.integer()))
    case 4: try give(.daemonLost)
    case 5: try give(.accepted)
    case 6: try give(.subscribed(refused: []))
    case 7:
      for _ in 0..<inFlight { try give(.acknowledged) }
    case 8:
      inFlight = 0
      try give(.brokerLost("lost"))
    case 9: try answer()
    case 10: try connect()
    case 17: try provide()
    case 16: try give(.clock(realtimeOffset: source.integer()))
    default: try message()
    }
  }

  private mutating func connect() throws {
    try pass(.seconds(61))
    try give(.accepted)
    try give(.subscribed(refused: []))
    try pass(.milliseconds(600))
  }

  /// As the daemon may send it, by its description.
  private mutating func reply() throws {
    var replies = RandomReplies(source)
    let parameters = replies.parameters(of: ControlInterface.Subscribe.name)
    source = replies.source
    // What a client does not understand ends its connection.
    guard let reply = try? parameters.decode(ControlInterface.Subscribe.Reply.self) else { return }
    try give(.replied(reply, realtimeOffset: source.integer()))
  }

  private mutating func answer() throws {
    guard !unanswered.isEmpty else { return }
    let number = unanswered.removeFirst()
    let isAbsence = source.flag()
    let failure = MQTTCallFailure(code: "outOfRange", message: source.text(), isAbsence: isAbsence)
    try give(.answered(number, source.flag() ? .failure(failure) : .success(Self.state("volume"))))
  }

  private mutating func provide() throws {
    guard let answer = provided else { return }
    provided = nil
    let failure: DeviceAttachment.Answer =
      source.flag() ? .absent : .refused(code: "noSuchHandle", message: source.text())
    try give(.provided(0, source.flag() ? failure : answer))
  }

  private mutating func message() throws {
    let kind = source.byte()
    let control = source.element(of: ["volume", "light", "none", ""]) ?? ""
    let topics = [
      "\(Self.base)\(control)/set", "\(Self.base)\(control)/step", "\(Self.base)\(control)/reset",
      "\(Self.base)\(control)/target", "stepperd/$group/lobby/\(control)/set", "\(Self.base)status",
      "\(Self.base)\(control)", "\(Self.base)\(control)/state",
      "\(Self.base)info", Self.discovery, "homeassistant/status", Self.remote,
    ]
    let name = kind & 0x80 == 0 ? source.element(of: topics).map { Array($0.utf8) } ?? [] : source.untilNUL()
    let payload = kind & 0x40 == 0 ? source.untilNUL() : Array((source.element(of: Self.payloads) ?? "").utf8)
    // Again and again: a flood.
    guard let topic = OutsideText(name, atMost: 65_535),
      let message = MQTTMessage(topic: topic, payload, isRetained: kind & 1 == 1)
    else { return }
    for _ in 0..<(kind & 0x20 == 0 ? 1 : 40) { try give(.received(message)) }
  }

  private static let payloads = [
    "30", "{\"value\":1,\"id\":1}", "{\"value\":2,\"revision\":1}", "{\"text\":\"on\",\"revision\":\"b\"}",
    "", "online",
    "offline", "-3", "{\"steps\":1}", "{\"controls\":[\"a\",\"b/c\",\"+\"]}",
    "{\"cmps\":{\"x\":{\"p\":\"number\"}}}", "{\"value\":1,\"time\":1795393072,\"maxAge\":5}",
    "{\"action\":\"button_1_press\"}", "{\"action\":\"button_1_hold_release\",\"last_seen\":1}",
    "{\"action\":\"dial_rotate_left_fast\",\"action_time\":1e300}", "dial_rotate_right_step",
    "{\"controls\":[],\"bridge\":\"a\",\"discovery\":\"ha/device/kiosk/config\"}",
  ]

  private static func state(_ control: String) -> ControlInterface.State {
    .init(
      control: control, value: 50, text: "50", limit: .none, origin: .device, live: true, turned: 0,
      presses: 0,
      pressed: false, editing: false, canIncrement: true, canDecrement: true, sequence: 1,
      monotonicMicroseconds: 1)
  }

  private static let snapshot = ControlInterface.Subscribe.Reply(
    snapshot: true, instance: "one", sequence: 1, coalesced: 0, states: [state("volume"), state("light")])

  // MARK: What must hold

  /// Lets time pass, deadline by deadline.
  private mutating func pass(_ time: Duration) throws {
    let end = now + time
    for turn in 0... {
      guard !isStopped, let deadline = bridge.deadline, deadline <= end else { break }
      try require(turn < 4_000, "a deadline does not move on")
      now = max(now, deadline)
      try give(.time)
    }
    now = end
  }

  private mutating func give(_ input: MQTTBridgeInput) throws {
    if case .acknowledged = input { inFlight -= 1 }
    for effect in bridge.handle(input, at: now) { try check(effect) }
    while let echo = echoes.popLast() { try give(.received(echo)) }
    let seconds = Int((now - start) / .seconds(1))
    let budget = 101 + Int((now - start) / .milliseconds(20))
    try require(calls <= budget, "\(calls) calls in \(seconds) s")
    // Unknown actions of the remote have their own.
    try require(refusals <= budget + 16, "\(refusals) refusals in \(seconds) s")
    try require(results <= budget + 10 + seconds, "\(results) results in \(seconds) s")
    try require(writes <= seconds + 2, "\(writes) writes of revisions in \(seconds) s")
    // The second of a pair, and `offline` of a daemon that is lost and of the end, do not wait.
    try require(inFlight <= 23, "\(inFlight) messages are in flight")
  }

  private mutating func check(_ effect: MQTTBridgeEffect) throws {
    switch effect {
    case .publish(let message, let isAcknowledged):
      if isAcknowledged { inFlight += 1 }
      if message.topic.hasSuffix("/result") { results += 1 }
      if message.topic == "\(Self.base)info" { echoes.append(MQTTMessage(message.topic, message.payload)) }
      let isOwn = message.topic.hasPrefix(Self.base) || message.topic == Self.discovery
      try require(isOwn, "it publishes \(message.topic)")
      let isName = message.topic.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x23 && $0 != 0x2b }
      try require(isName && message.topic.utf8.count <= MQTTLimit.topicBytes, "it publishes \(message.topic)")
    case .call(let number, _):
      calls += 1
      unanswered.append(number)
    case .keepRevisions: writes += 1
    case .provide(_, let call):
      try require(provided == nil, "it calls again before the daemon has answered")
      switch call {
      case .attach: provided = .attached(handle: "1")
      case .detach: provided = .done
      case .report(let report):
        provided = .done
        let frames = report.frames ?? []
        try require(frames.count <= 64, "\(frames.count) frames")
      }
    case .report(.refused), .report(.retainedCommand): refusals += 1
    case .connect: inFlight = 0
    case .stopped: isStopped = true
    default: break
    }
  }
}
