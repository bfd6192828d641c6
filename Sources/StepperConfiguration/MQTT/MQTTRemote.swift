/// `[mqtt.remote.NAME]`: a knob or remote of a radio network, whose messages come through the broker.
package struct MQTTRemote: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable { case ikea, tuya, hue }

  package var name: String
  /// Of its messages.
  package var topic: String
  package var kind: Kind
  /// How long a button stays held without another message.
  package var holdLimit = Duration.seconds(10)
}

/// The keys of `[mqtt.remote.NAME]`.
enum MQTTRemoteKey: String, ConfigurationKey {
  case topic, kind
  case holdLimit = "hold-limit"

  /// What a table sets.
  struct Draft {
    var topic: String?
    var kind: MQTTRemote.Kind?
    var holdLimit = Duration.seconds(10)
  }

  static var standard: Draft { Draft() }

  var key: Key<Draft> {
    switch self {
    case .topic: Key(\.topic, .topic)
    case .kind: Key(\.kind, .word)
    case .holdLimit: Key(\.holdLimit, .duration(in: .seconds(1) ... .seconds(60)))
    }
  }
}

extension MQTTReader {
  /// The tables of `remote`. Those that are wrong are left out.
  func remotes(_ value: ConfigurationValue) -> [MQTTRemote] {
    var topics: Set<String> = []
    return value.namedTables(upTo: ConfigurationLimit.remotes).compactMap { name, value in
      guard let section = value.section(of: MQTTRemoteKey.self) else { return nil }
      if section[.topic] == nil { section.report("needs topic = \"TOPIC\"", .key) }
      if section[.kind] == nil {
        let kinds = MQTTRemote.Kind.allCases.map { quoted($0.rawValue) }
        section.report("needs kind = \(kinds.joined(separator: " or "))", .key)
      }
      var draft = MQTTRemoteKey.Draft()
      section.read(into: &draft)
      guard let topic = draft.topic, let kind = draft.kind else { return nil }
      guard topics.insert(topic).inserted else {
        return section[.topic]?.refuse("another remote has the topic \(quoted(topic))")
      }
      return MQTTRemote(name: name, topic: topic, kind: kind, holdLimit: draft.holdLimit)
    }
  }
}

extension Kind<String> {
  /// The topic of a device. It is its name at the daemon as well, which is one line.
  fileprivate static var topic: Self {
    checked(upTo: 255, "one topic such as \"zigbee2mqtt/Kitchen knob\", without + and #") { text in
      !text.hasPrefix("$") && !text.contains { "+#".contains($0) }
    }
  }
}
