/// The keys of `[mqtt]`.
enum MQTTKey: String, ConfigurationKey {
  case broker, id, name, user
  case webPage = "web-page"
  case passwordFile = "password-file"
  case caFile = "ca-file"
  case certificateFile = "certificate-file"
  case keyFile = "key-file"
  case discovery
  case discoveryPrefix = "discovery-prefix"
  case prefix, groups, match, rate, targets
  case subscriptionQoS = "subscription-qos"
  case keepAlive = "keep-alive"
  case commandMaxAge = "command-max-age"
  case configKeyFile = "config-key-file"
  case configHealthTime = "config-health-time"
  case remote

  static var standard: MQTTSettings { MQTTSettings() }

  var key: Key<MQTTSettings> {
    switch self {
    case .broker: Key(\.broker, .broker)
    case .remote: Key { $1.remotes = $0.remotes() }
    case .id: Key(\.id, .level("an id such as \"kiosk-7\""))
    case .name: Key(\.name, .text())
    case .webPage: Key(\.webPage, .webPage)
    case .user: Key(\.user, .text())
    case .passwordFile: Key(\.passwordFile, .path())
    case .caFile: Key(\.authorityFile, .path())
    case .certificateFile: Key(\.certificateFile, .path())
    case .keyFile: Key(\.keyFile, .path())
    case .discovery: Key(\.hasDiscovery, .flag)
    case .discoveryPrefix: Key(\.discoveryPrefix, .levels)
    case .prefix: Key(\.prefix, .levels)
    case .groups: Key(\.groups, .list(of: .level("a group such as \"lobby\""), upTo: 64))
    case .match: Key(\.match, .list(of: .text(upTo: 255), upTo: 64))
    case .rate: Key(\.rate, .integer(in: 1...1_000))
    case .targets: Key(\.hasTargets, .flag)
    case .subscriptionQoS: Key(\.subscriptionQoS, .integer(in: 0...1))
    case .commandMaxAge: Key(\.commandMaxAge, .duration(in: .seconds(1) ... .seconds(86_400)))
    case .configKeyFile: Key(\.configKeyFile, .path())
    case .configHealthTime: Key(\.configHealthTime, .duration(in: .seconds(10) ... .seconds(3_600)))
    case .keepAlive: Key(\.keepAlive, .duration(in: .seconds(5) ... .seconds(600)))
    }
  }

  var need: String? { self == .broker ? "broker = \"mqtt://HOST\" or \"mqtts://HOST\"" : nil }
}

extension Kind<String> {
  /// One level of a topic; messages call it `what`.
  fileprivate static func level(_ what: String) -> Self {
    checked(upTo: 64, "\(what), of letters, digits, - and _") { $0.utf8.allSatisfy(isBareKeyByte) }
  }

  /// The address of a page.
  fileprivate static var webPage: Self {
    checked(upTo: 255, "an address such as \"http://kiosk-7.example:8383/\", without a password") { text in
      let rest = ["http://", "https://"].first(where: text.hasPrefix).map { text.dropFirst($0.count) }
      let host = rest?.prefix { !"/?#".contains($0) } ?? ""
      let isPlain = text.utf8.allSatisfy { (0x21...0x7e).contains($0) && !#""<>\^`{|}"#.utf8.contains($0) }
      return isPlain && hostAndPort(host) != nil
    }
  }

  /// Topic levels separated by slashes.
  fileprivate static var levels: Self {
    checked(
      upTo: 256, "levels of letters, digits, - and _ with / between them such as \"site/stepperd\""
    ) { text in
      text.split(separator: "/", omittingEmptySubsequences: false)
        .allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isBareKeyByte) }
    }
  }
}
