package import StepperCore

/// Clears every message that a broker retains of a board, as a value without I/O and without a clock.
package struct MQTTForget: Sendable {
  private let topics: Topics
  private enum Phase: Hashable {
    case idle
    case connecting(until: Instant)
    case collecting(until: Instant)
    case clearing(until: Instant)
    case over
  }
  private var phase = Phase.idle
  private var found: [String] = []
  private var known: Set<String> = []
  /// The controls that the board's `info` names.
  private var controls: [String] = []
  private var inFlight = 0

  /// The topic that names the board's controls.
  package var info: String { topics.info }
  /// The topics that were cleared.
  package private(set) var cleared: [String] = []
  package var count: Int { cleared.count }
  /// Whether the broker delivers no retained messages to wildcards, so that topics were cleared by the names in `info`.
  package private(set) var isBlind = false
  /// Whether the board is published as online: it publishes again what is cleared.
  package private(set) var isOnline = false
  /// Why it could not clear everything.
  package private(set) var failure: String?

  /// The most topics that can belong to one board.
  private static let topicLimit = 10_000
  private static let timeout = Duration.seconds(30)
  /// Nothing more comes if nothing has come for so long.
  private static let quietTime = Duration.seconds(1)

  package init(_ settings: MQTTBridgeSettings) { topics = Topics(settings) }

  package var deadline: Instant? {
    switch phase {
    case .idle, .over: nil
    case .connecting(let until), .collecting(let until), .clearing(let until): until
    }
  }

  package mutating func handle(_ input: MQTTBridgeInput, at now: Instant) -> [MQTTBridgeEffect] {
    switch (phase, input) {
    case (.idle, .start):
      phase = .connecting(until: now + Self.timeout)
      return [.connect(will: MQTTMessage("", []))]
    case (.over, _): return []
    case (_, .accepted):
      // Some brokers deliver what they retain only to subscriptions without wildcards.
      return [.subscribe([topics.base + "#", topics.discovery, topics.info, topics.status])]
    case (.connecting, .subscribed(let refused)):
      phase = .collecting(until: now + Self.quietTime)
      return refused.isEmpty ? [] : end("does not let this user read \(refused.joined(separator: ", "))")
    case (.collecting, .received(let message)): collect(message, at: now)
    case (.clearing, .acknowledged): inFlight -= 1
    case (_, .brokerLost(let reason)): return end(reason)
    default: break
    }
    return advance(to: now)
  }

  private mutating func collect(_ message: MQTTMessage, at now: Instant) {
    guard message.isRetained, !message.payload.isEmpty, found.count < Self.topicLimit,
      message.topic.hasPrefix(topics.base) || message.topic == topics.discovery,
      known.insert(message.topic).inserted
    else { return }
    if message.topic == topics.status, message.says("online") { isOnline = true }
    if message.topic == topics.info { controls = RetainedInfo.controls(message.payload) }
    found.append(message.topic)
    phase = .collecting(until: now + Self.quietTime)
  }

  private mutating func advance(to now: Instant) -> [MQTTBridgeEffect] {
    switch phase {
    case .connecting(let until) where until <= now: return end(MQTTBridge.silence)
    case .clearing(let until) where until <= now:
      return end("does not acknowledge what it is sent; see its log")
    case .collecting(let until) where until <= now:
      phase = .clearing(until: now + Self.timeout)
      addNamed()
      // The announcement first, and the status last, so that a board whose topics are partly cleared does not look alive.
      found = found.sorted { order($0) > order($1) }
      return clear(at: now)
    case .clearing: return clear(at: now)
    default: return []
    }
  }

  /// The topics of the controls, if the broker has shown none of them.
  private mutating func addNamed() {
    let named = controls.flatMap { [topics.text($0), topics.state($0), topics.command($0, .target)] }
    guard !named.isEmpty, known.isDisjoint(with: named) else { return }
    isBlind = true
    found += named
  }

  private func order(_ topic: String) -> Int {
    topic == topics.discovery ? 0 : topic == topics.status ? 2 : 1
  }

  private mutating func clear(at now: Instant) -> [MQTTBridgeEffect] {
    var effects: [MQTTBridgeEffect] = []
    while inFlight < MQTTLimit.inFlight, let topic = found.popLast() {
      inFlight += 1
      cleared.append(topic)
      effects.append(.publish(MQTTMessage(topic, [], isRetained: true), isAcknowledged: true))
    }
    guard found.isEmpty, inFlight == 0 else { return effects }
    return effects + end(nil)
  }

  private mutating func end(_ failure: String?) -> [MQTTBridgeEffect] {
    self.failure = failure
    phase = .over
    return [.disconnect, .stopped]
  }
}
