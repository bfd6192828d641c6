package import Varlink

/// How much of what arrives is kept until it is handled.
extension BrokerConnection {
  /// Of a message without its topic and its payload, in bytes.
  static let messageCost = 128
  /// Of a state or a text of this board, of a message of a remote, and of what is of no use here.
  private static let otherBytes = 64 << 10

  /// How many bytes of a payload are kept: as many as one of its topic may have, and one more, which marks a longer one.
  package static func keptBytes(of topic: OutsideText) -> Int {
    func ends(with levels: String) -> Bool {
      topic.bytes.suffix(levels.utf8.count).elementsEqual(levels.utf8)
    }
    if ends(with: "/config/set") { return SignedConfiguration.mostBytes + 1 }
    if Topics.Verb.allCases.contains(where: { ends(with: "/\($0.rawValue)") }) {
      return MQTTLimit.commandBytes + 1
    }
    // Those that the board has published in a former life, the announcement included.
    if ends(with: "/info") || ends(with: "/config") { return payloadLimit + 1 }
    return otherBytes + 1
  }
}
