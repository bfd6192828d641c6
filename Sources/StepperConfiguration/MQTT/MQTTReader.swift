/// Reads `[mqtt]`.
struct MQTTReader {
  /// nil: it cannot be used, which is reported.
  func settings(_ value: ConfigurationValue) -> MQTTSettings? {
    guard let section = value.section(of: MQTTKey.self) else { return nil }
    let broker = section[.broker].map(address) ?? nil
    if section[.broker] == nil { section.report("needs broker = \"mqtt://HOST\" or \"mqtts://HOST\"", .key) }
    var settings = MQTTSettings(broker: broker ?? BrokerAddress(host: "", port: 0, usesTLS: true))
    section.read(into: &settings)
    if let remote = section[.remote] { settings.remotes = remotes(remote) }
    checkTogether(section, broker)
    return broker == nil ? nil : settings
  }

  private func checkTogether(_ section: Section<MQTTKey>, _ broker: BrokerAddress?) {
    if let broker, !broker.usesTLS {
      for key in [MQTTKey.caFile, .certificateFile, .keyFile] {
        section[key]?.report("requires TLS: write broker = \"mqtts://…\"", .key)
      }
      if broker.isRemote, section[.passwordFile] != nil {
        section[.passwordFile]?.report(
          "the password is sent unencrypted; use \"mqtts://\" in broker", .key,
          severity: .warning)
      }
    }
    if section[.user] == nil { section[.passwordFile]?.report("needs user = \"NAME\"", .key) }
    if section[.keyFile] == nil { section[.certificateFile]?.report("needs key-file = \"PATH\"", .key) }
    if section[.certificateFile] == nil {
      section[.keyFile]?.report("needs certificate-file = \"PATH\"", .key)
    }
    if case .boolean(false)? = section[.discovery]?.node {
      section[.discoveryPrefix]?.report("has no effect with discovery = false", .key, severity: .warning)
    }
  }

  private func address(_ value: ConfigurationValue) -> BrokerAddress? {
    guard let text = value.text() else { return nil }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasPrefix("//") else {
      return value.refuse(
        "must be \"mqtt://HOST:PORT\", or \"mqtts://HOST:PORT\" for TLS, found \(quoted(text))")
    }
    let scheme = String(parts[0])
    guard scheme == "mqtt" || scheme == "mqtts" else {
      return value.refuse("must begin with mqtt:// or mqtts://, found \(quoted(text))") {
        meant(by: scheme, among: ["mqtt", "mqtts"]).map { "\($0):\(parts[1])" }
      }
    }
    let rest = parts[1].dropFirst(2)
    if rest.contains("@") {
      return value.refuse("must not contain a name or password; write user and password-file instead")
    }
    guard let (host, port) = hostAndPort(rest), Self.isHost(host) else {
      return value.refuse(
        "must have a host and an optional port after \(scheme)://, such as \"\(scheme)://broker.example:\(scheme == "mqtt" ? 1883 : 8883)\", found \(quoted(text))"
      )
    }
    return BrokerAddress(
      host: host, port: port ?? (scheme == "mqtt" ? 1883 : 8883), usesTLS: scheme == "mqtts")
  }

  /// `host`, `host:1883`, `[::1]`, `[::1]:1883`.
  private func hostAndPort(_ text: Substring) -> (host: String, port: Int?)? {
    var host = text
    var port: Int?
    let isBracketed = text.hasPrefix("[")
    if let colon = text.lastIndex(of: ":"), !(isBracketed && text.hasSuffix("]")) {
      guard let number = UInt16(text[text.index(after: colon)...]), number > 0 else { return nil }
      (host, port) = (text[..<colon], Int(number))
    }
    guard isBracketed else { return host.contains(":") ? nil : (String(host), port) }
    guard host.hasSuffix("]"), host.count > 2 else { return nil }
    return (String(host.dropFirst().dropLast()), port)
  }

  private static func isHost(_ text: String) -> Bool {
    (1...253).contains(text.utf8.count)
      && text.utf8.allSatisfy { isBareKeyByte($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }
      && !text.hasPrefix("-")
  }
}
