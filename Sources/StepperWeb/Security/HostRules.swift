internal import StepperConfiguration

/// By which names browsers may use this program.
///
/// A page whose name was made to point here ("DNS rebinding") is of the same origin for the browser, and only the name
/// in `Host` tells it from ours.
struct HostRules: Hashable, Sendable {
  private var names: Set<String> = []
  /// Whether it listens at all addresses of the machine: then a `Host` may be the address that was connected to, as a
  /// name cannot be.
  private var acceptsOwnAddress = false

  /// For what is listened at, with the ports that are in use, and names with or without a port.
  init(_ addresses: [WebAddress], hosts: [String]) {
    for name in ["localhost", "127.0.0.1", "[::1]"] where addresses.contains(where: { !$0.isInternet }) {
      names.insert(name)
    }
    for case .internet(let host, let port) in addresses {
      if host == "0.0.0.0" || host == "::" { acceptsOwnAddress = true }
      let own = host.contains(":") ? "[\(host.lowercased())]" : host
      let isLocal = host.hasPrefix("127.") || host == "::1" || acceptsOwnAddress
      for name in isLocal ? ["localhost", "127.0.0.1", "[::1]", own] : [own] { add(name, port) }
    }
    let ports = addresses.compactMap(\.port)
    for name in hosts.map({ $0.lowercased() }) {
      names.insert(name)
      guard !Self.hasPort(name) else { continue }
      for port in ports { add(name, port) }
    }
  }

  private mutating func add(_ name: String, _ port: Int) {
    names.insert("\(name):\(port)")
    if port == 80 { names.insert(name) }
  }

  private static func hasPort(_ name: String) -> Bool {
    guard let colon = name.lastIndex(of: ":") else { return false }
    return !name[colon...].contains("]")
  }

  /// Whether `host` may be in the `Host` of a request that came to `own`, an address with port.
  func accepts(host: String?, own: String?) -> Bool {
    guard let host = host?.lowercased() else { return false }
    return names.contains(host) || (acceptsOwnAddress && host == own)
  }

  /// Whether `origin` is a page of this program.
  func accepts(origin: String, own: String?) -> Bool {
    for scheme in ["http://", "https://"] where origin.lowercased().hasPrefix(scheme) {
      return accepts(host: String(origin.dropFirst(scheme.count)), own: own)
    }
    return false
  }
}

extension WebAddress {
  fileprivate var isInternet: Bool { port != nil }

  fileprivate var port: Int? { if case .internet(_, let port) = self { port } else { nil } }
}
