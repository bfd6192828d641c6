import StepperCore
import StepperInterfaces
@testable import StepperMQTT

/// A bridge in virtual time, whose broker acknowledges at once, unless told otherwise.
struct Bench {
  var bridge: MQTTBridge
  var now = Instant.milliseconds(1_000_000)
  /// Everything it wanted done, in order.
  var effects: [MQTTBridgeEffect] = []
  var acknowledges = true
  /// Whether `info` and the announcement come back, which the board subscribes to.
  var echoes = true

  static let settings = MQTTBridgeSettings(id: "kiosk", name: "Kiosk")

  init(_ settings: MQTTBridgeSettings = settings, seed: UInt64 = 1, revisions: [String: String] = [:]) {
    bridge = MQTTBridge(settings, seed: seed, revisions: revisions)
  }

  /// One that is connected and online with the control volume at 50, and has nothing noted.
  static func online(_ settings: MQTTBridgeSettings = settings, revisions: [String: String] = [:]) -> Bench {
    var bench = Bench(settings, revisions: revisions)
    bench.give(.replied(.volume, realtimeOffset: 0))
    bench.connect()
    bench.settle()
    bench.effects = []
    return bench
  }

  mutating func give(_ input: MQTTBridgeInput) {
    var inputs = [input]
    while !inputs.isEmpty {
      let new = bridge.handle(inputs.removeFirst(), at: now)
      effects += new
      for case .publish(let message, let isAcknowledged) in new {
        if echoes, [bridge.topics.info, bridge.topics.discovery].contains(message.topic) {
          inputs.append(.received(MQTTMessage(message.topic, message.payload)))
        }
        if acknowledges, isAcknowledged { inputs.append(.acknowledged) }
      }
    }
  }

  mutating func message(_ topic: String, _ payload: String, isRetained: Bool = false) {
    give(.received(MQTTMessage(topic, Array(payload.utf8), isRetained: isRetained)))
  }

  /// Lets time pass, deadline by deadline.
  mutating func pass(_ duration: Duration) {
    let end = now + duration
    while let deadline = bridge.deadline, deadline <= end {
      now = max(now, deadline)
      give(.time)
    }
    now = end
  }

  /// To the subscription.
  mutating func connect() {
    give(.start)
    pass(.seconds(1))
    give(.accepted)
    give(.subscribed(refused: []))
  }

  mutating func settle() { pass(.milliseconds(600)) }

  /// Without the times at which the board was there.
  var published: [MQTTMessage] { allPublished.filter { $0.topic != bridge.topics.lastSeen } }
  var allPublished: [MQTTMessage] {
    effects.compactMap { effect in
      if case .publish(let message, _) = effect { message } else { nil }
    }
  }
  /// `TOPIC TEXT` without the board's prefix.
  var lines: [String] {
    published.map { message in
      let topic = message.topic.replacing("stepperd/kiosk/", with: "")
      return topic.hasSuffix("/config")
        ? "discovery" : topic.hasSuffix("/state") ? topic : "\(topic) \(message.text)"
    }
  }
  func payloads(_ topic: String) -> [String] { published.filter { $0.topic == topic }.map(\.text) }
  var calls: [MQTTBridgeCall] {
    effects.compactMap { effect in
      if case .call(_, let call) = effect { call } else { nil }
    }
  }
  var lastCallNumber: UInt32 {
    effects.compactMap { effect in
      if case .call(let number, _) = effect { number } else { nil }
    }.last ?? 0
  }
  var reports: [MQTTBridgeReport] {
    effects.compactMap { effect in
      if case .report(let report) = effect { report } else { nil }
    }
  }
  /// How many commands each report of drops counts.
  var dropReports: [Int] {
    reports.compactMap { if case .tooManyCommands(let count, _) = $0 { count } else { nil } }
  }
}

extension MQTTMessage {
  var text: String { String(decoding: payload, as: UTF8.self) }
}
