extension ConfigurationValue {
  /// Reads `[mqtt]`. If it is not a table, reports that and returns nil.
  func mqtt() -> MQTTSettings? {
    guard let section = section(of: MQTTKey.self) else { return nil }
    var settings = MQTTKey.standard
    section.read(into: &settings)
    section.checkTogether(settings.broker)
    return settings
  }
}

extension Section<MQTTKey> {
  /// Reports keys that exclude each other or need each other.
  fileprivate func checkTogether(_ broker: BrokerAddress) {
    if !broker.usesTLS {
      for key in [MQTTKey.caFile, .certificateFile, .keyFile] {
        self[key]?.report("requires TLS: write broker = \"mqtts://…\"", .key)
      }
      if broker.isRemote {
        self[.passwordFile]?.report(
          "the password is sent unencrypted; use \"mqtts://\" in broker", .key, severity: .warning)
      }
    }
    if self[.user] == nil { self[.passwordFile]?.report("needs user = \"NAME\"", .key) }
    if self[.keyFile] == nil { self[.certificateFile]?.report("needs key-file = \"PATH\"", .key) }
    if self[.certificateFile] == nil { self[.keyFile]?.report("needs certificate-file = \"PATH\"", .key) }
    if case .boolean(false)? = self[.discovery]?.node {
      self[.discoveryPrefix]?.report("has no effect with discovery = false", .key, severity: .warning)
    }
  }
}
