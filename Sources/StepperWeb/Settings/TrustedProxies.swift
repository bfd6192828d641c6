internal import Glibc
internal import StepperConfiguration
internal import Varlink

/// The proxies whose `Forwarded` and `X-Forwarded-For` give the address of a client.
package struct TrustedProxies: Hashable, Sendable {
  /// Those that connect over a Unix socket.
  package var areLocal = false
  /// Those that connect from these addresses, each as ``address(_:)`` writes it.
  package var addresses: Set<String> = []

  package init() {}

  /// Whether there are none.
  package var isEmpty: Bool { !areLocal && addresses.isEmpty }

  /// Whether a connection from `peer` is that of a proxy; that of a Unix socket is empty.
  package func contains(_ peer: String) -> Bool {
    peer.isEmpty ? areLocal : Self.address(Array(peer.utf8)).map(addresses.contains) ?? false
  }

  /// The one spelling of an address in numbers; nil: `text` is none. An address of IPv4 within one of IPv6 is that of IPv4.
  package static func address(_ text: [UInt8]) -> String? {
    // The longest is that of IPv6 with one of IPv4 at its end.
    guard text.count < Int(INET6_ADDRSTRLEN), !text.contains(0) else { return nil }
    let name = OutsideText.shown(text)
    let family = text.contains(UInt8(ascii: ":")) ? AF_INET6 : AF_INET
    // As long as one of IPv6.
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
  /// `true` for the Unix sockets, or addresses beside them.
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
