import StepperCore

/// The topics whose messages the broker has refused, by MQTT 5, until it has taken one of them. Each is sent again after a pause.
struct RefusedPublications: Hashable, Sendable {
  private var reasons: [String: String] = [:]
  private var retries: [String: Instant] = [:]
  /// The topic that was reported last, and when another one may be: a broker may refuse every other message.
  private var reported: String?
  private var nextReport = Instant.distantPast

  private static let firstPause = Duration.seconds(10)
  /// Before it is sent again that was refused again, and between two reports.
  private static let pause = Duration.seconds(60)
  private static let topicLimit = 1_024

  /// A topic, the reason, and how many others there are; nil: nothing is refused.
  var first: (topic: String, reason: String, others: Int)? {
    reasons.min { $0.key < $1.key }.map { ($0.key, $0.value, reasons.count - 1) }
  }

  /// When one of them is to be sent again.
  var nextRetry: Instant? { retries.values.min() }

  /// How long it takes until a topic is sent again that is refused now.
  func pause(of topic: String) -> Duration { reasons[topic] == nil ? Self.firstPause : Self.pause }

  /// The broker has refused a message; whether that is to be reported.
  mutating func add(_ topic: String, _ reason: String, at now: Instant) -> Bool {
    let isFirst = reasons.isEmpty
    guard reasons[topic] != nil || reasons.count < Self.topicLimit else { return false }
    if retries[topic] == nil { retries[topic] = now + pause(of: topic) }
    reasons[topic] = reason
    guard isFirst, topic != reported, now >= nextReport else { return false }
    (reported, nextReport) = (topic, now + Self.pause)
    return true
  }

  /// The broker has taken a message. It counts if it is the one that was sent again.
  mutating func taken(_ topic: String) {
    guard retries[topic] == nil, reasons.removeValue(forKey: topic) != nil else { return }
    if reasons.isEmpty { reported = nil }
  }

  /// Those that are to be sent again.
  mutating func takeRetries(at now: Instant) -> [String] {
    let due = retries.filter { $0.value <= now }.keys.sorted()
    for topic in due { retries[topic] = nil }
    return due
  }

  /// The connection has ended. What was reported is not reported again of the next one.
  mutating func forget() { (reasons, retries) = ([:], [:]) }
}
