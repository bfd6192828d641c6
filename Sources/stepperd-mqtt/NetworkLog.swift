internal import StepperCore
internal import StepperText

/// Log lines about events that the network causes. Each topic gets a line whenever its reason changes. There are 10 lines at once and
/// then one a second, because others determine how often this happens.
struct NetworkLog {
  private static let topicLimit = 64
  private static let lineLimit = 600

  private var limit = LineLimit(RateLimit(every: .seconds(1), burst: 10))
  private var last: [String: String] = [:]

  /// nil: nothing is to be logged.
  mutating func line(_ topic: String, _ reason: String, at now: Instant) -> String? {
    let topic = topic.onOneLine(limit: Self.lineLimit)
    guard last[topic] != reason, let end = limit.end(at: now) else { return nil }
    if last.count >= Self.topicLimit { last = [:] }
    last[topic] = reason
    return "\(topic): \(reason.onOneLine(limit: Self.lineLimit))\(end)"
  }
}
