extension WebSettings {
  /// The most of each list, and bytes of a policy.
  private static let listLimit = 64
  private static let policyBytes = 4_096

  /// Reads a file, which may be no text at all, as TOML; nil if any of the problems is an error. Messages call it
  /// `file`.
  package static func load(
    _ bytes: [UInt8], file: String
  ) -> (settings: WebSettings?, problems: [ConfigurationProblem]) {
    let (settings, problems) = Configuration.read(bytes, file: file, settings)
    return (problems.contains { $0.severity == .error } ? nil : settings, problems)
  }

  private static func settings(_ document: ConfigurationValue) -> WebSettings {
    var settings = WebSettings()
    guard let root = document.section(of: WebKey.self) else { return settings }
    settings.listen = root[.listen]?.elements(upTo: listLimit).flatMap { $0.webAddresses() ?? [] } ?? []
    settings.hosts = root[.hosts]?.elements(upTo: listLimit).compactMap { $0.host() } ?? []
    settings.tokenFile = root[.tokenFile]?.absolutePath(upTo: ConfigurationLimit.pathBytes)
    settings.trustedProxies = root[.trustedProxy]?.trustedProxies(upTo: listLimit) ?? TrustedProxies()
    settings.pages = root[.pages]?.absolutePath(upTo: ConfigurationLimit.pathBytes)
    settings.policy = root[.csp]?.policy(upTo: policyBytes)
    settings.match = root[.match]?.elements(upTo: listLimit).compactMap { $0.text(upTo: 255) } ?? []
    settings.isReadOnly = root[.readOnly]?.boolean() ?? false
    settings.look = root[.look]?.word(of: WebLook.self)?.rawValue
    settings.language = root[.language]?.languageTag()
    if settings.pages == nil, !root.problems.hasErrors {
      root[.csp]?.report("has no effect without pages", .key, severity: .warning)
    }
    return settings
  }
}

extension ConfigurationValue {
  fileprivate func webAddresses() -> [WebAddress]? {
    guard let text = text() else { return nil }
    return WebAddress.all(text)
      ?? refuse(
        "must be an address and a port such as \"127.0.0.1:8383\" or \"[::1]:8383\", or \"unix:/PATH\", found \(quoted(text))"
      )
  }

  /// A name as browsers send it, perhaps with a port.
  fileprivate func host() -> String? {
    guard let text = text() else { return nil }
    let isName = text.utf8.allSatisfy { byte in
      isBareKeyByte(byte) || [".", ":", "[", "]"].contains { UInt8(ascii: $0) == byte }
    }
    return isName
      ? text.lowercased()
      : refuse("must be a name such as \"panel.example\" or \"panel.example:8443\", found \(quoted(text))")
  }

  /// What goes into a header as it is.
  fileprivate func policy(upTo limit: Int) -> String? {
    guard let text = text(upTo: limit) else { return nil }
    guard text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) else {
      return refuse("must be of ASCII characters")
    }
    return text
  }

  fileprivate func languageTag() -> String? {
    guard let text = text(upTo: 64) else { return nil }
    guard text.utf8.allSatisfy({ isBareKeyByte($0) }) else {
      return refuse("must be a language tag such as \"de\" or \"pt-BR\", found \(quoted(text))")
    }
    return text
  }
}
