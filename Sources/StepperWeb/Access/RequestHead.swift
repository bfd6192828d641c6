/// The head of a request: bytes from outside. A field that came several times is joined with
/// commas, and cookies with semicolons.
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

  package init(method: [UInt8]) { self.method = method }

  /// The cookie of a session.
  package static let sessionCookie = "stepper"

  /// The token of `Authorization`, or else of the cookie.
  package var token: ArraySlice<UInt8>? {
    let scheme = "bearer "
    if let authorization, hasPrefix(authorization, scheme) {
      return authorization.dropFirst(scheme.utf8.count)
    }
    for pair in cookie?.split(separator: UInt8(ascii: ";")) ?? [] {
      let pair = pair.drop { $0 == UInt8(ascii: " ") }
      let name = "\(Self.sessionCookie)="
      if pair.starts(with: name.utf8) { return pair.dropFirst(name.utf8.count) }
    }
    return nil
  }
}
