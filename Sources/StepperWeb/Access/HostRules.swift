/// The host names by which browsers may use this program.
///
/// If another site's name is made to point here ("DNS rebinding"), its pages are of the same origin for the browser. Only the name in
/// `Host` differs.
package struct HostRules: Hashable, Sendable {
  /// The most bytes of a name with its port: a DNS name has at most 253.
  private static let byteLimit = 261
  private static let leftOut = Array(":80".utf8)

  private var names: Set<[UInt8]> = []
  /// Whether the program listens on all addresses of the machine. In that case `Host` may be the address that was connected to, which no
  /// DNS name can be.
  private var acceptsOwnAddress = false

  /// For the addresses that are listened on, with their actual ports, and for names with or without a port.
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
      guard HostAndPort(name).port == nil else { continue }
      for port in ports { add(name, port) }
    }
  }

  private mutating func add(_ name: String, _ port: Int) {
    names.insert(Array("\(name):\(port)".utf8))
    if port == 80 { names.insert(Array(name.utf8)) }
  }

  /// Whether `name`, with or without a port, means only this machine (RFC 6761).
  package static func isLoopback(_ name: String) -> Bool {
    let host = String(HostAndPort(name).host)
    if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
    return TrustedProxies.address(Array(host.utf8)).map(WebAddress.isLoopback) ?? false
  }

  /// Whether a request may have this `Host`. `own` is the address, with port, that it arrived at.
  package func accepts(host: some Collection<UInt8>, own: [UInt8]?) -> Bool {
    guard host.count <= Self.byteLimit else { return false }
    let host = host.map(lowercased)
    // Browsers omit port 80.
    return names.contains(host) || (acceptsOwnAddress && (host == own || host + Self.leftOut == own))
  }

  /// Whether pages of `origin` belong to this program.
  package func accepts(origin: some Collection<UInt8>, own: [UInt8]?) -> Bool {
    for scheme in ["http://", "https://"] where hasPrefix(origin, scheme) {
      return accepts(host: origin.dropFirst(scheme.utf8.count), own: own)
    }
    return false
  }
}

/// The parts of `NAME` or `NAME:PORT`, with IPv6 addresses in brackets.
struct HostAndPort {
  let host: Substring
  /// nil: there is no port.
  let port: Substring?

  init(_ text: String) {
    let colon = text.lastIndex(of: ":").flatMap { text[$0...].contains("]") ? nil : $0 }
    host = text[..<(colon ?? text.endIndex)]
    port = colon.map { text[text.index(after: $0)...] }
  }
}

/// The lower-case form of an ASCII letter; other bytes are unchanged.
func lowercased(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}

/// Whether `text` begins with `prefix`, which must be in lower case. The case of ASCII letters in `text` is ignored.
func hasPrefix(_ text: some Collection<UInt8>, _ prefix: String) -> Bool {
  text.prefix(prefix.utf8.count).lazy.map(lowercased).elementsEqual(prefix.utf8)
}

extension WebAddress {
  fileprivate var isInternet: Bool { port != nil }

  fileprivate var port: Int? { if case .internet(_, let port) = self { port } else { nil } }
}
