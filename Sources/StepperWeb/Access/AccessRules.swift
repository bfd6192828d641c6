internal import Varlink

/// Decides which requests are answered, and what they may do. It is a value without a clock or a network, which ``Gate`` applies to each
/// request.
package struct AccessRules: Hashable, Sendable {
  let hosts: HostRules
  /// Whether no client may change anything.
  let isReadOnly: Bool

  package init(hosts: HostRules, isReadOnly: Bool) { (self.hosts, self.isReadOnly) = (hosts, isReadOnly) }

  /// What a well-formed request asks for. Whether it is permitted is decided by ``access(_:_:)``.
  package struct Question: Hashable, Sendable {
    package let method: RequestMethod
    package let target: RequestTarget
    package let match: WebRoute.Match
  }

  /// Returns what a request for `target` asks for. `own` is the address, with port, that the request arrived at. Throws if the request is
  /// refused regardless of its token.
  package func question(
    _ head: RequestHead, _ target: RequestTarget, own: [UInt8]?
  ) throws(Problem) -> Question {
    guard let host = head.host, hosts.accepts(host: host, own: own) else {
      throw Problem(
        421,
        "this panel does not answer under the host name of the address; add the name to hosts = […] in stepperd-web.toml"
      )
    }
    guard let method = RequestMethod(head.method) else {
      throw .otherMethod("the methods are GET, HEAD, POST and DELETE", RequestMethod.allCases.map(\.rawValue))
    }
    try checkOrigin(head, own: own)
    if method.isChange { try Self.checkChange(head, method) }
    return Question(method: method, target: target, match: try WebRoute.find(method, target))
  }

  private func checkOrigin(_ head: RequestHead, own: [UInt8]?) throws(Problem) {
    if let site = head.fetchSite {
      guard ["same-origin", "none"].contains(where: { site.elementsEqual($0.utf8) }) else {
        throw Problem(403, "pages of other sites may not use this program; open its address directly")
      }
    }
    if let origin = head.origin {
      guard hosts.accepts(origin: origin, own: own) else {
        let page = OutsideText.shown(origin.prefix(200).filter { (0x21...0x7e).contains($0) })
        throw Problem(
          403,
          "pages of other sites may not use this program; if \(page) is this panel, add that name with its port to hosts = […]"
        )
      }
    }
  }

  private static func checkChange(_ head: RequestHead, _ method: RequestMethod) throws(Problem) {
    guard head.origin != nil || head.fetchSite == nil else {
      throw Problem(403, "a browser must send Origin with a request that changes something")
    }
    guard head.stepper?.elementsEqual("1".utf8) == true else {
      throw Problem(403, "a request that changes something needs the header X-Stepper: 1")
    }
    guard method == .post else { return }
    let type = "application/json"
    guard let given = head.contentType, hasPrefix(given, type),
      [nil, UInt8(ascii: ";")].contains(given.dropFirst(type.utf8.count).first)
    else { throw Problem(415, "a request that changes something needs the content type application/json") }
  }

  /// What a client with `grant` may do in answer to `question`; a `grant` of nil means that the client has no token. Throws if that is
  /// less than the route requires.
  package func access(_ question: Question, _ grant: Grant?) throws(Problem) -> Grant {
    let right = question.match.right
    guard right > .none else { return Grant(right: .none, token: nil) }
    guard let grant else { throw .needsToken }
    guard grant.right >= right else { throw Problem(403, "this token is for viewing only") }
    guard right < .operate || !isReadOnly else {
      throw Problem(403, "no control can be changed: read-only = true")
    }
    return Grant(right: isReadOnly ? min(grant.right, .view) : grant.right, token: grant.token)
  }
}
