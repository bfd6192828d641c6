internal import StepperConfiguration

/// An address to listen on: `127.0.0.1:8383`, `[::1]:8383` or `unix:/run/panel`.
package enum WebAddress: Hashable, Sendable {
  /// A numeric address and a port; 0 is any free port.
  case internet(host: String, port: Int)
  case unix(String)

  /// nil: `text` is none of these. Names are not looked up; `localhost` is ``loopback(port:)``, which means two addresses.
  package init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst("unix:".count))
      guard path.hasPrefix("/"), path.utf8.count <= ConfigurationLimit.socketPathBytes else { return nil }
      self = .unix(path)
      return
    }
    let parts = HostAndPort(text)
    guard let port = parts.port.flatMap({ UInt16($0) }) else { return nil }
    let isLong = parts.host.hasPrefix("[") && parts.host.hasSuffix("]")
    let host = String(isLong ? parts.host.dropFirst().dropLast() : parts.host)
    guard TrustedProxies.address(Array(host.utf8)) != nil, host.contains(":") == isLong else { return nil }
    self = .internet(host: host, port: Int(port))
  }

  /// Both loopback addresses, which only this machine can reach.
  package static func loopback(port: Int) -> [WebAddress] {
    [.internet(host: "127.0.0.1", port: port), .internet(host: "::1", port: port)]
  }

  /// The default port.
  package static let usualPort = 8383

  /// The addresses that `text` stands for; nil: it is not valid.
  package static func all(_ text: String) -> [WebAddress]? {
    let name = "localhost:"
    guard text.hasPrefix(name) else { return WebAddress(text).map { [$0] } }
    return UInt16(text.dropFirst(name.count)).map { loopback(port: Int($0)) }
  }

  /// Whether anything beyond this machine's programs can reach the address.
  package var isOpen: Bool {
    switch self {
    case .unix: false
    case .internet(let host, _): !Self.isLoopback(host)
    }
  }

  /// Whether the port is any free one.
  var isAny: Bool { if case .internet(_, port: 0) = self { true } else { false } }

  /// Whether a numeric address is a loopback address.
  package static func isLoopback(_ address: String) -> Bool { address.hasPrefix("127.") || address == "::1" }
}

extension WebAddress: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unix(let path): "unix:\(path)"
    case .internet(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
  }
}
