/// Who may ask what. A value without clock and network: ``Gate`` asks it of each request.
package struct AccessRules: Hashable, Sendable {
  let hosts: HostRules
  /// Whether nobody may change anything.
  let isReadOnly: Bool

  package init(hosts: HostRules, isReadOnly: Bool) { (self.hosts, self.isReadOnly) = (hosts, isReadOnly) }

  /// A request whose form is right: what it asks for, but not yet whether it may.
  package struct Question: Hashable, Sendable {
    package let method: RequestMethod
    package let target: RequestTarget
    package let match: WebRoute.Match
  }

  /// What a request asks for that came to `own`, an address with port. Throws if its form says that it is not to be
  /// answered, whoever asks.
  package func question(_ head: RequestHead, own: [UInt8]?) throws(Refusal) -> Question {
    let target: RequestTarget
    do throws(RequestTarget.Fault) {
      target = try RequestTarget(head.target)
    } catch {
      throw Refusal(400, error.reason)
    }
    guard let host = head.host, hosts.accepts(host: host, own: own) else {
      throw Refusal(421, "this program is not called that; add the name to hosts = […]")
    }
    guard let method = RequestMethod(head.method) else {
      var refusal = Refusal(405, "GET, HEAD, POST and DELETE are understood")
      refusal.methods = RequestMethod.allCases.map(\.word)
      throw refusal
    }
    try checkOrigin(head, own: own)
    if method.isChange { try Self.checkChange(head, method) }
    return Question(method: method, target: target, match: try WebRoute.find(method, target))
  }

  private func checkOrigin(_ head: RequestHead, own: [UInt8]?) throws(Refusal) {
    if let site = head.fetchSite {
      guard ["same-origin", "none"].contains(where: { site.elementsEqual($0.utf8) }) else {
        throw Refusal(403, "pages from elsewhere may not use this; open its address itself")
      }
    }
    if let origin = head.origin {
      guard hosts.accepts(origin: origin, own: own) else {
        throw Refusal(403, "pages from elsewhere may not use this")
      }
    }
  }

  private static func checkChange(_ head: RequestHead, _ method: RequestMethod) throws(Refusal) {
    guard head.origin != nil || head.fetchSite == nil else {
      throw Refusal(403, "a browser must say where a request comes from")
    }
    guard head.stepper?.elementsEqual("1".utf8) == true else {
      throw Refusal(403, "a request that changes something needs the header X-Stepper: 1")
    }
    guard method == .post else { return }
    let type = "application/json"
    guard let given = head.contentType, hasPrefix(given, type),
      [nil, UInt8(ascii: ";")].contains(given.dropFirst(type.utf8.count).first)
    else { throw Refusal(415, "a request that changes something is application/json") }
  }

  /// What the one may do who asks `question` and was granted `grant`; nil: nothing. Throws if that is less than the route
  /// asks for.
  package func access(_ question: Question, _ grant: Grant?) throws(Refusal) -> Access {
    let right = question.match.right
    guard right > .none else { return Access(right: .none, token: nil, isReadOnly: isReadOnly) }
    guard let grant else { throw Refusal(401, "a token is needed") }
    guard grant.right >= right else { throw Refusal(403, "this token is for looking only") }
    guard right < .operate || !isReadOnly else {
      throw Refusal(403, "nothing can be changed here: read-only = true")
    }
    return Access(right: grant.right, token: grant.token, isReadOnly: isReadOnly)
  }
}
