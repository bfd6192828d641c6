package import StepperCore

/// Finds out whether a broker passes on what a board publishes, as a value without I/O and without a clock. It publishes one
/// message that is not retained, on a topic that is no control's.
package struct MQTTProbe: Sendable {
  private let filters: [String]
  private enum Phase: Hashable {
    case idle
    case connecting(until: Instant)
    case awaiting(until: Instant)
    case over
  }
  private var phase = Phase.idle

  /// The topic of its message.
  package let topic: String
  /// Why the broker cannot be spoken to.
  package private(set) var failure: String?
  /// What the broker refuses to pass on.
  package private(set) var refused: [String] = []
  /// Whether its message has come back.
  package private(set) var hasEcho = false

  private static let timeout = Duration.seconds(15)
  private static let echoTime = Duration.seconds(5)

  package init(_ settings: MQTTBridgeSettings) {
    let topics = Topics(settings)
    // No name of a control has a dollar sign.
    topic = topics.text("$check")
    filters = topics.filters(hasTargets: settings.hasTargets)
  }

  package var deadline: Instant? {
    switch phase {
    case .idle, .over: nil
    case .connecting(let until), .awaiting(let until): until
    }
  }

  package mutating func handle(_ input: MQTTBridgeInput, at now: Instant) -> [MQTTBridgeEffect] {
    switch (phase, input) {
    case (.idle, .start):
      phase = .connecting(until: now + Self.timeout)
      return [.connect(will: MQTTMessage("", []))]
    case (.connecting, .accepted): return [.subscribe(filters)]
    case (.connecting, .subscribed(let refused)):
      self.refused = refused
      phase = .awaiting(until: now + Self.echoTime)
      return [.publish(MQTTMessage(topic, Array("check".utf8)), isAcknowledged: true)]
    case (.awaiting, .received(let message)) where message.topic == topic:
      hasEcho = true
      return end(nil)
    case (.connecting, .brokerLost(let reason)), (.awaiting, .brokerLost(let reason)): return end(reason)
    case (.connecting(let until), .time) where until <= now: return end(MQTTBridge.silence)
    case (.awaiting(let until), .time) where until <= now: return end(nil)
    default: return []
    }
  }

  private mutating func end(_ failure: String?) -> [MQTTBridgeEffect] {
    self.failure = failure
    phase = .over
    return [.disconnect, .stopped]
  }
}
