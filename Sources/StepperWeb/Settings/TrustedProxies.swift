internal import Glibc
internal import StepperConfiguration
internal import Varlink

/// The proxies whose `Forwarded` and `X-Forwarded-For` give the address of a client.
package struct TrustedProxies: Hashable, Sendable {
  /// Whether clients that connect over a Unix socket are trusted proxies.
  package var areLocal = false
  /// The addresses of trusted proxies, each as ``address(_:)`` writes it.
  package var addresses: Set<String> = []

  package init() {}

  /// Whether there are no trusted proxies.
  package var isEmpty: Bool { !areLocal && addresses.isEmpty }

  /// Whether a connection from `peer` comes from a trusted proxy. For a Unix socket `peer` is empty.
  package func contains(_ peer: String) -> Bool {
    peer.isEmpty ? areLocal : Self.address(Array(peer.utf8)).map(addresses.contains) ?? false
  }

  /// The canonical spelling of a numeric address; nil: `text` is not one. An IPv4 address inside an IPv6 one becomes the IPv4 address.
  package static func address(_ text: [UInt8]) -> String? {
    // The longest text is an IPv6 address that ends with an IPv4 one.
    guard text.count < Int(INET6_ADDRSTRLEN), !text.contains(0) else { return nil }
    let name = OutsideText.shown(text)
    let family = text.contains(UInt8(ascii: ":")) ? AF_INET6 : AF_INET
    // The length of an IPv6 address.
    var address = [UInt8](repeating: 0, count: 16)
    guard unsafe inet_pton(family, name, &address) == 1 else { return nil }
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard unsafe inet_ntop(family, &address, &buffer, socklen_t(buffer.count)) != nil else { return nil }
    let written = OutsideText.shown(buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
    let mapped = "::ffff:"
    return written.hasPrefix(mapped) && written.contains(".")
      ? String(written.dropFirst(mapped.count)) : written
  }
}

extension ConfigurationValue {
  /// `true` for Unix sockets, or a list of addresses in addition to them.
  func trustedProxies(upTo limit: Int) -> TrustedProxies {
    var proxies = TrustedProxies()
    if case .boolean(let areLocal) = node {
      proxies.areLocal = areLocal
      return proxies
    }
    proxies.areLocal = true
    for element in elements(upTo: limit) {
      guard let text = element.text() else { continue }
      if let address = TrustedProxies.address(Array(text.utf8)) {
        proxies.addresses.insert(address)
      } else {
        element.report(
          "must be true, or an address in numbers such as \"127.0.0.1\" or \"::1\", found \(quoted(text))")
      }
    }
    return proxies
  }
}
