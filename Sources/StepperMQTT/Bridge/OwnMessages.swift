import StepperCore

/// The retained messages that a board has published, of each topic the last that has come back and those that have not: it
/// subscribes to all of them. What comes on their topics and is none of them was written by another.
struct OwnMessages: Hashable, Sendable {
  /// Of each topic in their order, in which they come back, each once or more often.
  private var known: [String: [Fingerprint]] = [:]
  /// More than are on their way of one topic, however late the broker passes them on.
  private static let limit = 32

  mutating func sent(_ message: MQTTMessage) {
    let former = known[message.topic, default: []].suffix(Self.limit - 1)
    known[message.topic] = former + [Fingerprint(message.payload)]
  }

  /// Whether a message is one of them; then none before it is awaited any more.
  mutating func take(_ message: MQTTMessage) -> Bool {
    guard let index = known[message.topic]?.firstIndex(of: Fingerprint(message.payload)) else { return false }
    known[message.topic]?.removeFirst(index)
    return true
  }
}
