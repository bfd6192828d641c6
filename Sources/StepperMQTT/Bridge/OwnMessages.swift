import StepperCore

/// The retained messages that a board has published and that have not come back to it: it subscribes to all of them. What comes
/// on their topics and is none of them was written by another.
struct OwnMessages: Hashable, Sendable {
  /// Of each topic in their order, in which they come back.
  private var awaited: [String: [Fingerprint]] = [:]
  /// More than are on their way of one topic, however late the broker passes them on.
  private static let limit = 32

  mutating func sent(_ message: MQTTMessage) {
    let former = awaited[message.topic, default: []].suffix(Self.limit - 1)
    awaited[message.topic] = former + [Fingerprint(message.payload)]
  }

  /// Whether a message is one of them; then it is awaited no more, nor are those before it, which the broker has lost.
  mutating func take(_ message: MQTTMessage) -> Bool {
    guard let index = awaited[message.topic]?.firstIndex(of: Fingerprint(message.payload)) else {
      return false
    }
    let left = awaited[message.topic]?.dropFirst(index + 1) ?? []
    awaited[message.topic] = left.isEmpty ? nil : Array(left)
    return true
  }
}
