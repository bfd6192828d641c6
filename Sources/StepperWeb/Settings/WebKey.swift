internal import StepperConfiguration

/// The keys of `stepperd-web.toml`.
enum WebKey: String, ConfigurationKey {
  case listen, hosts
  case tokenFile = "token-file"
  case trustedProxy = "trusted-proxy"
  case pages, csp, match
  case readOnly = "read-only"
  case look, language

  static var standard: WebSettings { WebSettings() }

  var key: Key<WebSettings> {
    switch self {
    case .listen: Key { $1.listen = $0.elements(upTo: mostListed).flatMap { $0.webAddresses() ?? [] } }
    case .hosts: Key(\.hosts, .list(of: .host, upTo: mostListed))
    case .tokenFile: Key(\.tokenFile, .path())
    case .trustedProxy: Key { $1.trustedProxies = $0.trustedProxies(upTo: mostListed) }
    case .pages: Key(\.pages, .path())
    case .csp: Key(\.policy, .policy)
    case .match: Key(\.match, .list(of: .text(upTo: 255), upTo: mostListed))
    case .readOnly: Key(\.isReadOnly, .flag)
    case .look: Key { $1.look = $0.word(of: WebLook.self)?.rawValue }
    case .language: Key(\.language, .languageTag)
    }
  }
}

private let mostListed = 64

extension ConfigurationValue {
  fileprivate func webAddresses() -> [WebAddress]? {
    guard let text = text() else { return nil }
    return WebAddress.all(text)
      ?? refuse(
        "must be an address and a port such as \"127.0.0.1:8383\" or \"[::1]:8383\", or \"unix:/PATH\", found \(quoted(text))"
      )
  }
}

extension Kind<String> {
  /// A host name as browsers send it, with or without a port.
  fileprivate static var host: Self {
    let message = "must be a name such as \"panel.example\" or \"panel.example:8443\""
    return text(
      of: { isBareKeyByte($0) || ".:[]".utf8.contains($0) }, where: isHost, else: message, as: asSent)
  }

  /// A valid host name as browsers write it: in lower case, with IPv6 addresses and ports in their shortest form. The name must satisfy
  /// ``isHost(_:)``.
  private static func asSent(_ text: String) -> String {
    let parts = HostAndPort(text)
    let name = parts.host.lowercased()
    let address = TrustedProxies.address(Array(name.utf8.dropFirst().dropLast()))
    let host = name.hasPrefix("[") ? address.map { $0.contains(":") ? "[\($0)]" : name } ?? name : name
    let port = parts.port.flatMap { UInt16($0) }
    return host + (port.map { ":\($0)" } ?? "")
  }

  private static func isHost(_ text: String) -> Bool {
    let parts = HostAndPort(text)
    return isName(parts.host) && parts.port.map { UInt16($0) != nil } ?? true
  }

  /// Whether `text` is a host name or an address; IPv6 addresses must be in brackets.
  private static func isName(_ text: Substring) -> Bool {
    text.hasPrefix("[")
      ? WebAddress("\(text):0") != nil : !text.isEmpty && !text.utf8.contains { ":[]".utf8.contains($0) }
  }

  /// The value of a header field, which is sent unchanged.
  fileprivate static var policy: Self {
    text(upTo: 4_096, of: { (0x20..<0x7f).contains($0) }, else: "must be of ASCII characters")
  }

  fileprivate static var languageTag: Self {
    text(upTo: 64, of: isBareKeyByte, else: "must be a language tag such as \"de\" or \"pt-BR\"")
  }

  /// A text all of whose bytes are `allowed`.
  private static func text(
    upTo limit: Int = ConfigurationLimit.textBytes, of allowed: @escaping (UInt8) -> Bool,
    where fits: @escaping (String) -> Bool = { _ in true }, else message: String,
    as result: @escaping (String) -> String = { $0 }
  ) -> Self {
    Self(
      type: "string",
      read: { value, _ in
        guard let text = value.text(upTo: limit) else { return nil }
        return text.utf8.allSatisfy(allowed) && fits(text)
          ? result(text) : value.refuse("\(message), found \(quoted(text))")
      }, text: quoted)
  }
}
