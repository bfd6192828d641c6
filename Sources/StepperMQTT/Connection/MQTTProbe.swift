package import StepperCore

/// Finds out whether a broker passes on what a board publishes. It publishes one message that is not retained, on a topic that
/// is no control's.
package struct MQTTProbe: BrokerTask, Sendable {
  private var visit: BrokerVisit

  /// The topic of its message.
  package let topic: String
  /// What the broker refuses to pass on.
  package private(set) var refused: [String] = []
  /// Whether its message has come back.
  package private(set) var hasEcho = false

  private static let echoTime = Duration.seconds(5)

  package init(_ settings: MQTTBridgeSettings) {
    let topics = Topics(settings)
    // No name of a control has a dollar sign.
    topic = topics.text("$check")
    visit = BrokerVisit(topics.filters(settings), timeout: .seconds(15))
  }

  package var deadline: Instant? { visit.deadline }
  /// Why the broker cannot be spoken to.
  package var failure: String? { visit.failure }

  package mutating func handle(_ input: MQTTBridgeInput, at now: Instant) -> [MQTTBridgeEffect] {
    if let effects = visit.handle(input, at: now) { return effects }
    switch input {
    case .subscribed(let refused):
      self.refused = refused
      visit.work(until: now + Self.echoTime)
      return [.publish(MQTTMessage(topic, Array("check".utf8)), isAcknowledged: true)]
    case .received(let message) where message.topic == topic:
      hasEcho = true
      return visit.end()
    default: return visit.deadline.map { $0 <= now } == true ? visit.end() : []
    }
  }
}
