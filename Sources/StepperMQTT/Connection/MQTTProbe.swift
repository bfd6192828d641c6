package import StepperCore

/// Finds out whether a broker passes on what a board publishes. It publishes two messages that are not retained, on topics that
/// are no control's: like a text and like a state, for a broker may let a user write the one and not the other.
package struct MQTTProbe: BrokerTask, Sendable {
  private var visit: BrokerVisit

  /// The topics of its messages.
  private let published: [String]
  private var awaited: Set<String>
  /// Those that the broker has refused, by MQTT 5, with its reasons.
  private var refusals: [String: String] = [:]
  /// What the broker refuses to pass on.
  package private(set) var refused: [String] = []
  /// What has not come back, and why, as far as the broker says.
  package var unheard: [(topic: String, reason: String?)] {
    published.filter { awaited.contains($0) || refusals[$0] != nil }.map { ($0, refusals[$0]) }
  }

  private static let echoTime = Duration.seconds(5)

  package init(_ settings: MQTTBridgeSettings) {
    let topics = Topics(settings)
    // No name of a control has a dollar sign.
    published = [topics.state("$check"), topics.text("$check")]
    awaited = Set(published)
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
      return published.map { .publish(MQTTMessage($0, Array("check".utf8)), isAcknowledged: true) }
    case .received(let message): return note(message.topic)
    case .publicationRefused(let topic, let reason):
      refusals[topic] = reason
      return note(topic)
    default: return visit.deadline.map { $0 <= now } == true ? visit.end() : []
    }
  }

  private mutating func note(_ topic: String) -> [MQTTBridgeEffect] {
    awaited.remove(topic) != nil && awaited.isEmpty ? visit.end() : []
  }
}
