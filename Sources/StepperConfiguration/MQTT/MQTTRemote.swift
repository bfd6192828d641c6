/// `[mqtt.remote.NAME]`: a knob or remote control in a radio network, whose messages arrive through the broker.
package struct MQTTRemote: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable { case ikea, tuya, hue }

  package var name = ""
  /// The topic of its messages.
  package var topic = ""
  package var kind = Kind.ikea
  /// How long a button stays held without another message.
  package var holdLimit = Duration.seconds(10)
}

/// The keys of `[mqtt.remote.NAME]`.
enum MQTTRemoteKey: String, ConfigurationKey {
  case topic, kind
  case holdLimit = "hold-limit"

  static var standard: MQTTRemote { MQTTRemote() }

  var key: Key<MQTTRemote> {
    switch self {
    case .topic: Key(\.topic, .topic)
    case .kind: Key(\.kind, .word)
    case .holdLimit: Key(\.holdLimit, .duration(in: .seconds(1) ... .seconds(60)))
    }
  }

  var need: String? {
    switch self {
    case .topic: "topic = \"TOPIC\""
    case .kind: "kind = \(MQTTRemote.Kind.allCases.map { quoted($0.rawValue) }.joined(separator: " or "))"
    case .holdLimit: nil
    }
  }
}

extension ConfigurationValue {
  /// The tables of `remote`.
  func remotes() -> [MQTTRemote] {
    var topics: Set<String> = []
    return namedTables(upTo: ConfigurationLimit.remotes).compactMap { name, value in
      guard let section = value.section(of: MQTTRemoteKey.self) else { return nil }
      var remote = MQTTRemote(name: name)
      section.read(into: &remote)
      if !remote.topic.isEmpty, !topics.insert(remote.topic).inserted {
        section[.topic]?.report("another remote has the topic \(quoted(remote.topic))")
      }
      return remote
    }
  }
}

extension Kind<String> {
  /// The topic of a device. It is also the name of the device in the daemon, and therefore one line.
  fileprivate static var topic: Self {
    checked(upTo: 255, "one topic such as \"zigbee2mqtt/Kitchen knob\", without + and #") { text in
      !text.begins(with: "$") && !text.utf8.contains { "+#".utf8.contains($0) }
    }
  }
}
