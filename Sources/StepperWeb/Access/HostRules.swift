/// The names by which browsers may use this program.
///
/// A page whose name was made to point here ("DNS rebinding") is of the same origin for the browser, and only the name
/// in `Host` differs.
package struct HostRules: Hashable, Sendable {
  /// The most bytes of a name with its port: a name of DNS has at most 253.
  private static let byteLimit = 261
  private static let leftOut = Array(":80".utf8)

  private var names: Set<[UInt8]> = []
  /// Whether it listens at all addresses of the machine: then a `Host` may be the address that was connected to, as a
  /// name cannot be.
  private var acceptsOwnAddress = false

  /// For what is listened at, with the ports that are in use, and names with or without a port.
  package init(_ addresses: [WebAddress], hosts: [String]) {
    for name in ["localhost", "127.0.0.1", "[::1]"] where addresses.contains(where: { !$0.isInternet }) {
      names.insert(Array(name.utf8))
    }
    for case .internet(let host, let port) in addresses {
      if host == "0.0.0.0" || host == "::" { acceptsOwnAddress = true }
      let own = host.contains(":") ? "[\(host.lowercased())]" : host
      let isLocal = WebAddress.isLoopback(host) || acceptsOwnAddress
      for name in isLocal ? ["localhost", "127.0.0.1", "[::1]", own] : [own] { add(name, port) }
    }
    let ports = addresses.compactMap(\.port)
    for name in hosts.map({ $0.lowercased() }) {
      names.insert(Array(name.utf8))
      guard !Self.hasPort(name) else { continue }
      for port in ports { add(name, port) }
    }
  }

  private mutating func add(_ name: String, _ port: Int) {
    names.insert(Array("\(name):\(port)".utf8))
    if port == 80 { names.insert(Array(name.utf8)) }
  }

  /// Whether `name`, perhaps with a port, is that of this machine alone (RFC 6761).
  package static func isLoopback(_ name: String) -> Bool {
    let host = hasPort(name) ? String(name[..<(name.lastIndex(of: ":") ?? name.endIndex)]) : name
    if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
    return TrustedProxies.address(Array(host.utf8)).map(WebAddress.isLoopback) ?? false
  }

  private static func hasPort(_ name: String) -> Bool {
    guard let colon = name.lastIndex(of: ":") else { return false }
    return !name[colon...].contains("]")
  }

  /// Whether `host` may be in the `Host` of a request that came to `own`, an address with port.
  package func accepts(host: some Collection<UInt8>, own: [UInt8]?) -> Bool {
    guard host.count <= Self.byteLimit else { return false }
    let host = host.map(lowercased)
    // Browsers leave out the port 80.
    return names.contains(host) || (acceptsOwnAddress && (host == own || host + Self.leftOut == own))
  }

  /// Whether `origin` is a page of this program.
  package func accepts(origin: some Collection<UInt8>, own: [UInt8]?) -> Bool {
    for scheme in ["http://", "https://"] where hasPrefix(origin, scheme) {
      return accepts(host: origin.dropFirst(scheme.utf8.count), own: own)
    }
    return false
  }
}

/// An ASCII letter as a small one; other bytes are as they are.
func lowercased(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}

/// Whether it is an ASCII letter, a digit, `-` or `_`.
func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
    true
  default: false
  }
}

/// Whether `text` begins with `prefix`, which is of small letters; capital ASCII letters are the same.
func hasPrefix(_ text: some Collection<UInt8>, _ prefix: String) -> Bool {
  text.prefix(prefix.utf8.count).lazy.map(lowercased).elementsEqual(prefix.utf8)
}

extension WebAddress {
  fileprivate var isInternet: Bool { port != nil }

  fileprivate var port: Int? { if case .internet(_, let port) = self { port } else { nil } }
}
