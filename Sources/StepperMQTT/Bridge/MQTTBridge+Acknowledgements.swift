import StepperCore

/// The broker's answers to the messages that it is sent.
extension MQTTBridge {
  /// A message of quality of service 1 that the broker has not answered yet.
  struct Sent: Hashable, Sendable {
    let topic: String
    let at: Instant
  }

  /// How long the broker may take to answer. Without this limit, messages that are never answered would fill up the room for others.
  private static let acknowledgementTime = Duration.seconds(60)
  package static let unacknowledged = "does not acknowledge what it is sent; see its log"

  var inFlight: Int { sent.count }

  var acknowledgementDue: Instant? { sent.first.map { $0.at + Self.acknowledgementTime } }

  mutating func acknowledged() {
    guard !sent.isEmpty else { return }
    refusedPublications.taken(sent.removeFirst().topic)
  }

  mutating func publicationRefused(_ topic: String, _ reason: String, at now: Instant) {
    if let index = sent.firstIndex(where: { $0.topic == topic }) { sent.remove(at: index) }
    guard isOpen else { return }
    if topic == topics.status { (status, nextStatus) = (nil, now + refusedPublications.pause(of: topic)) }
    if refusedPublications.add(topic, reason, at: now), let refusal = refusedPublication {
      effects.append(.report(refusal))
    }
  }

  /// The publication that the broker refuses; nil: none.
  package var refusedPublication: MQTTBridgeReport? {
    refusedPublications.first.map {
      .refusedPublication(topic: $0.topic, reason: $0.reason, others: $0.others)
    }
  }

  /// What the broker does not do for this user; nil: nothing is known to be missing.
  package var brokerProblem: MQTTBridgeReport? {
    if let topic = silentTopic { return .silentBroker(topic: topic) }
    guard refusedFilters.isEmpty else { return .refusedFilters(refusedFilters) }
    return refusedPublication ?? (isUnretained ? .unretained : nil)
  }

  /// Marks refused messages to be sent again. `info` and the announcement are resent for as long as they do not come back, and the status
  /// has a timer of its own.
  mutating func sendRefused(at now: Instant) {
    for topic in refusedPublications.takeRetries(at: now) {
      switch topics.meaning(of: topic) {
      case .value(let control, let isText)?:
        guard let index = index(of: control) else {
          if Topics.isControl(control) { addFormer([control]) }
          continue
        }
        controls[index].isDirty = true
        if isText { controls[index].sentText = nil }
      case .configuration?: isConfigurationStateDue = true
      default: break
      }
    }
  }
}
