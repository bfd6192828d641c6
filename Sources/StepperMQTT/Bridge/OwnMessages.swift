import StepperCore

/// The retained messages that a board has published and that have not come back to it: it subscribes to all of them. What comes
/// on their topics and is none of them was written by another.
struct OwnMessages: Hashable, Sendable {
  private var awaited: [Fingerprint] = []
  /// More than are on their way at any time. Where the broker loses some, the oldest are forgotten.
  private static let limit = 64

  mutating func sent(_ message: MQTTMessage) {
    if awaited.count >= Self.limit { awaited.removeFirst() }
    awaited.append(Self.fingerprint(message))
  }

  /// Whether a message is one of them; then it is awaited no more.
  mutating func take(_ message: MQTTMessage) -> Bool {
    guard let index = awaited.firstIndex(of: Self.fingerprint(message)) else { return false }
    awaited.remove(at: index)
    return true
  }

  private static func fingerprint(_ message: MQTTMessage) -> Fingerprint {
    Fingerprint(Array(message.topic.utf8) + [0] + message.payload)
  }
}
