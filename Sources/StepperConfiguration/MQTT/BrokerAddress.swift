/// `mqtt://HOST:PORT`, or `mqtts://` for TLS.
package struct BrokerAddress: Hashable, Sendable {
  /// A host name, or a numeric address without brackets.
  package var host: String
  package var port: Int
  package var usesTLS: Bool

  package init(host: String, port: Int, usesTLS: Bool) {
    (self.host, self.port, self.usesTLS) = (host, port, usesTLS)
  }

  /// Whether data sent to the broker leaves this machine.
  package var isRemote: Bool { !(host == "localhost" || host == "::1" || host.hasPrefix("127.")) }
}

extension Kind<BrokerAddress> {
  static var broker: Self {
    Self(
      type: "string", read: { value, _ in value.brokerAddress() },
      text: { quoted("\($0.usesTLS ? "mqtts" : "mqtt")://\($0.host):\($0.port)") })
  }
}

extension ConfigurationValue {
  fileprivate func brokerAddress() -> BrokerAddress? {
    guard let text = text() else { return nil }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasPrefix("//") else {
      return refuse(
        "must be \"mqtt://HOST:PORT\", or \"mqtts://HOST:PORT\" for TLS, found \(quoted(text))")
    }
    let scheme = String(parts[0])
    guard scheme == "mqtt" || scheme == "mqtts" else {
      return refuse("must begin with mqtt:// or mqtts://, found \(quoted(text))") {
        meant(by: scheme, among: ["mqtt", "mqtts"]).map { "\($0):\(parts[1])" }
      }
    }
    let rest = parts[1].dropFirst(2)
    if rest.contains("@") {
      return refuse("must not contain a name or password; write user and password-file instead")
    }
    guard let (host, port) = hostAndPort(rest) else {
      return refuse(
        "must have a host and an optional port after \(scheme)://, such as \"\(scheme)://broker.example:\(scheme == "mqtt" ? 1883 : 8883)\", found \(quoted(text))"
      )
    }
    return BrokerAddress(
      host: host, port: port ?? (scheme == "mqtt" ? 1883 : 8883), usesTLS: scheme == "mqtts")
  }

}

/// Splits `host`, `host:1883`, `[::1]` or `[::1]:1883`; nil for any other form.
func hostAndPort(_ text: Substring) -> (host: String, port: Int?)? {
  var host = text
  var port: Int?
  let isBracketed = text.hasPrefix("[")
  if let colon = text.lastIndex(of: ":"), !(isBracketed && text.hasSuffix("]")) {
    let digits = text[text.index(after: colon)...]
    guard digits.utf8.allSatisfy(isDigit), let number = UInt16(digits), number > 0 else { return nil }
    (host, port) = (text[..<colon], Int(number))
  }
  guard isBracketed else { return isHost(host) ? (String(host), port) : nil }
  guard host.hasSuffix("]"), isIPv6(host.dropFirst().dropLast()) else { return nil }
  return (String(host.dropFirst().dropLast()), port)
}

private func isHost(_ text: Substring) -> Bool {
  (1...253).contains(text.utf8.count) && !text.hasPrefix("-")
    && text.utf8.allSatisfy { isBareKeyByte($0) || $0 == UInt8(ascii: ".") }
}

/// Whether `text` looks like a numeric IPv6 address.
private func isIPv6(_ text: Substring) -> Bool {
  (2...7).contains(text.count { $0 == ":" }) && text.utf8.count <= 45
    && text.allSatisfy { $0.isASCII && $0.isHexDigit || $0 == ":" || $0 == "." }
}
