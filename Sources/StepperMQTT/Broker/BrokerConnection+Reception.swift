package import Varlink

/// How much of a received message is kept until it is handled.
extension BrokerConnection {
  /// The cost of a message apart from its topic and its payload, in bytes.
  static let messageCost = 128
  /// The bytes kept of a state or a text of this board, of a remote's message, and of messages that are of no use here.
  private static let otherBytes = 64 << 10

  /// The number of bytes kept of a payload: the most that a message on this topic may have, plus one, which marks a longer payload.
  package static func keptBytes(of topic: OutsideText) -> Int {
    func ends(with levels: String) -> Bool {
      topic.bytes.suffix(levels.utf8.count).elementsEqual(levels.utf8)
    }
    if ends(with: "/config/set") { return SignedConfiguration.mostBytes + 1 }
    if Topics.Verb.allCases.contains(where: { ends(with: "/\($0.rawValue)") }) {
      return MQTTLimit.commandBytes + 1
    }
    // Messages that the board published in an earlier run, the announcement included.
    if ends(with: "/info") || ends(with: "/config") { return payloadLimit + 1 }
    return otherBytes + 1
  }
}
