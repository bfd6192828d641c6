package import StepperCore

/// Finds out whether a broker delivers what a board publishes. It publishes two messages that are not retained, on topics that belong to
/// no control: one like a text and one like a state, because a broker may permit only one of the two.
package struct MQTTProbe: BrokerTask, Sendable {
  private var visit: BrokerVisit

  /// The topics of the probe's messages.
  private let published: [String]
  private var awaited: Set<String>
  /// The topics that the broker has refused, by MQTT 5, with its reasons.
  private var refusals: [String: String] = [:]
  /// The topics that the broker refuses to deliver.
  package private(set) var refused: [String] = []
  /// The topics whose messages have not come back, with the reason if the broker gives one.
  package var unheard: [(topic: String, reason: String?)] {
    published.filter { awaited.contains($0) || refusals[$0] != nil }.map { ($0, refusals[$0]) }
  }

  private static let echoTime = Duration.seconds(5)

  package init(_ settings: MQTTBridgeSettings) {
    let topics = Topics(settings)
    // Names of controls contain no dollar sign.
    published = [topics.state("$check"), topics.text("$check")]
    awaited = Set(published)
    visit = BrokerVisit(topics.filters(settings), timeout: .seconds(15))
  }

  package var deadline: Instant? { visit.deadline }
  /// Why the broker could not be used.
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
