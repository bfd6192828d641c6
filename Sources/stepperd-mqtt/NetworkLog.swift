internal import StepperCore
internal import StepperText

/// What the network causes in the log: a line for each change of a topic's reason, at once 10 lines and then one a second,
/// for others determine how often.
struct NetworkLog {
  private static let topicLimit = 64

  private var limit = LineLimit(RateLimit(every: .seconds(1), burst: 10))
  private var last: [String: String] = [:]

  /// nil: nothing is to be logged.
  mutating func line(_ topic: String, _ reason: String, at now: Instant) -> String? {
    let topic = Self.onOneLine(topic)
    guard last[topic] != reason, let end = limit.end(at: now) else { return nil }
    if last.count >= Self.topicLimit { last = [:] }
    last[topic] = reason
    return "\(topic): \(Self.onOneLine(reason))\(end)"
  }

  private static func onOneLine(_ text: String) -> String { text.onOneLine(limit: 600) }
}
