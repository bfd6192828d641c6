internal import Varlink

/// The head of a request, as bytes from outside. Repeated fields are joined with commas, and cookies with semicolons.
package struct RequestHead: Hashable, Sendable {
  package var method: [UInt8]
  package var host: [UInt8]?
  package var origin: [UInt8]?
  package var fetchSite: [UInt8]?
  package var stepper: [UInt8]?
  package var contentType: [UInt8]?
  package var authorization: [UInt8]?
  package var cookie: [UInt8]?
  package var forwarded: [UInt8]?
  package var forwardedFor: [UInt8]?
  package var ifMatch: [UInt8]?
  package var ifNoneMatch: [UInt8]?
  package var lastEventID: [UInt8]?
  package var acceptEncoding: [UInt8]?

  package init(method: [UInt8]) { self.method = method }

  /// The name of the session cookie. Browsers send a host's cookies to all of its ports, so the name contains the port from `Host`.
  package var sessionCookie: String {
    let port = host?.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).dropFirst().last
    guard let port, !port.isEmpty, port.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
      return "stepper"
    }
    return "stepper-\(OutsideText.shown(port))"
  }

  /// Whether the client accepts gzip. A weight of zero refuses it.
  package var acceptsGzip: Bool {
    acceptEncoding?.split(separator: UInt8(ascii: ",")).contains { entry in
      let parts = entry.split(separator: UInt8(ascii: ";")).map(\.trimmed)
      let weight = "q="
      let isRefused = parts.dropFirst().contains { part in
        hasPrefix(part, weight) && part.dropFirst(weight.utf8.count).allSatisfy { "0.".utf8.contains($0) }
      }
      return !isRefused && parts.first.map { $0.count == 4 && hasPrefix($0, "gzip") } ?? false
    } ?? false
  }

  /// The token from `Authorization`, or else from the cookie.
  package var token: ArraySlice<UInt8>? {
    let scheme = "bearer "
    if let authorization, hasPrefix(authorization, scheme) {
      return authorization.dropFirst(scheme.utf8.count)
    }
    for pair in cookie?.split(separator: UInt8(ascii: ";")) ?? [] {
      let pair = pair.drop { $0 == UInt8(ascii: " ") }
      let name = "\(sessionCookie)="
      if pair.starts(with: name.utf8) { return pair.dropFirst(name.utf8.count) }
    }
    return nil
  }
}
