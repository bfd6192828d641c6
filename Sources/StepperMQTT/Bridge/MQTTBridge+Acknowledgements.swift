import StepperCore

/// What the broker says of the messages that it is sent.
extension MQTTBridge {
  /// A message of quality of service 1 that was not answered.
  struct Sent: Hashable, Sendable {
    let topic: String
    let at: Instant
  }

  /// How long the broker may take. What it never answers would take room for ever, until nothing could be sent.
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

  /// What the broker refuses to take; nil: nothing.
  package var refusedPublication: MQTTBridgeReport? {
    refusedPublications.first.map {
      .refusedPublication(topic: $0.topic, reason: $0.reason, others: $0.others)
    }
  }

  /// What the broker does not do for this user; nil: nothing is missing, as far as is known.
  package var brokerProblem: MQTTBridgeReport? {
    if let topic = silentTopic { return .silentBroker(topic: topic) }
    return refusedFilters.isEmpty ? refusedPublication : .refusedFilters(refusedFilters)
  }

  /// Has that sent again which was refused. `info` and the announcement are as long as they do not come back, and the status
  /// has a time of its own.
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
