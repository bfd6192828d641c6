import StepperCore

/// The retained messages that a board has published: for each topic, the last one that has come back and those that have not yet. The
/// board subscribes to all of its own topics. A message on one of them that is not listed here was written by another client.
struct OwnMessages: Hashable, Sendable {
  /// By topic, in the order in which the messages come back, each once or more often.
  private var known: [String: [Fingerprint]] = [:]
  /// More messages than can be under way on one topic, however late the broker delivers them.
  private static let limit = 32

  mutating func sent(_ message: MQTTMessage) {
    let former = known[message.topic, default: []].suffix(Self.limit - 1)
    known[message.topic] = former + [Fingerprint(message.payload)]
  }

  /// Whether a message is one of the board's own. If so, earlier ones are no longer awaited.
  mutating func take(_ message: MQTTMessage) -> Bool {
    guard let index = known[message.topic]?.firstIndex(of: Fingerprint(message.payload)) else { return false }
    known[message.topic]?.removeFirst(index)
    return true
  }
}
