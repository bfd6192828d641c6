import StepperCore

/// The topics whose messages a broker of MQTT 5 has refused, until it accepts one of them. Each is sent again after a pause.
struct RefusedPublications: Hashable, Sendable {
  private var reasons: [String: String] = [:]
  private var retries: [String: Instant] = [:]
  /// The topic that was reported last, and when another one may be reported: a broker may refuse every other message.
  private var reported: String?
  private var nextReport = Instant.distantPast

  private static let firstPause = Duration.seconds(10)
  /// The pause before a repeatedly refused message is sent again, and between two reports.
  private static let pause = Duration.seconds(60)
  private static let topicLimit = 1_024

  /// A refused topic, the reason, and the number of other topics; nil: nothing is refused.
  var first: (topic: String, reason: String, others: Int)? {
    reasons.min { $0.key < $1.key }.map { ($0.key, $0.value, reasons.count - 1) }
  }

  /// When the next of the messages is to be sent again.
  var nextRetry: Instant? { retries.values.min() }

  /// The pause until a message on this topic is sent again, if it is refused now.
  func pause(of topic: String) -> Duration { reasons[topic] == nil ? Self.firstPause : Self.pause }

  /// The broker has refused a message. Returns whether to report it.
  mutating func add(_ topic: String, _ reason: String, at now: Instant) -> Bool {
    let isFirst = reasons.isEmpty
    guard reasons[topic] != nil || reasons.count < Self.topicLimit else { return false }
    if retries[topic] == nil { retries[topic] = now + pause(of: topic) }
    reasons[topic] = reason
    guard isFirst, topic != reported, now >= nextReport else { return false }
    (reported, nextReport) = (topic, now + Self.pause)
    return true
  }

  /// The broker has accepted a message. It counts only if it is the one that was sent again.
  mutating func taken(_ topic: String) {
    guard retries[topic] == nil, reasons.removeValue(forKey: topic) != nil else { return }
    if reasons.isEmpty { reported = nil }
  }

  /// Removes and returns the topics whose messages are to be sent again.
  mutating func takeRetries(at now: Instant) -> [String] {
    let due = retries.filter { $0.value <= now }.keys.sorted()
    for topic in due { retries[topic] = nil }
    return due
  }

  /// The connection has ended. What was reported is not reported again on the next connection.
  mutating func forget() { (reasons, retries) = ([:], [:]) }
}
