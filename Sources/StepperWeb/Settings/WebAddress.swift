internal import Glibc
internal import StepperConfiguration

/// An address to listen at: `127.0.0.1:8383`, `[::1]:8383` or `unix:/run/panel`.
package enum WebAddress: Hashable, Sendable {
  /// The address in numbers, and the port; 0 is any that is free.
  case internet(host: String, port: Int)
  case unix(String)

  /// nil: it is none of these. Names are not looked up; `localhost` is ``loopback(port:)``, which is two addresses.
  package init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst("unix:".count))
      guard path.hasPrefix("/"), path.utf8.count <= ConfigurationLimit.socketPathBytes else { return nil }
      self = .unix(path)
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      return nil
    }
    var host = String(text[..<colon])
    var isLong = false
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
      isLong = true
    }
    guard Self.isAddress(host, isLong ? AF_INET6 : AF_INET) else { return nil }
    self = .internet(host: host, port: Int(port))
  }

  /// Both addresses that only this machine reaches.
  package static func loopback(port: Int) -> [WebAddress] {
    [.internet(host: "127.0.0.1", port: port), .internet(host: "::1", port: port)]
  }

  /// The port that is used if none is given.
  package static let usualPort = 8383

  /// What `text` stands for; nil: nothing.
  package static func all(_ text: String) -> [WebAddress]? {
    let name = "localhost:"
    guard text.hasPrefix(name) else { return WebAddress(text).map { [$0] } }
    return UInt16(text.dropFirst(name.count)).map { loopback(port: Int($0)) }
  }

  /// Whether others than this machine's programs can reach it.
  package var isOpen: Bool {
    switch self {
    case .unix: false
    case .internet(let host, _): !Self.isLoopback(host)
    }
  }

  /// Whether an address in numbers is one of this machine alone.
  package static func isLoopback(_ address: String) -> Bool { address.hasPrefix("127.") || address == "::1" }

  private static func isAddress(_ text: String, _ family: CInt) -> Bool {
    // As long as one of IPv6.
    var place = [UInt8](repeating: 0, count: 16)
    return unsafe inet_pton(family, text, &place) == 1
  }
}

extension WebAddress: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unix(let path): "unix:\(path)"
    case .internet(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
  }
}
