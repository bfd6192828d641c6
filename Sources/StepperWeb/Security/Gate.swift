internal import HTTPTypes
internal import HummingbirdCore
internal import StepperCore
internal import StepperLinux
internal import Synchronization

/// Admits or refuses requests, by ``AccessRules``, the tokens and rate limits.
final class Gate: Sendable {
  private let rules: AccessRules
  private let proxies: TrustedProxies
  private let tokens: Tokens?
  /// Limits requests that change something.
  private let changes = Mutex(RateLimits<Asker>(RateLimit(every: .milliseconds(10), burst: 200)))
  private let mistakes = Mutex(Mistakes())

  /// Clients without a token do not use up the budget of a client with a token at the same address.
  private struct Asker: Hashable {
    let client: String
    let token: TokenID?
  }

  /// Limits wrong tokens. The last wrong token of each address is remembered, because a page that repeats it is not guessing.
  private struct Mistakes {
    var limit = RateLimits<String>(RateLimit(every: .seconds(12), burst: 5))
    var last: [String: [UInt8]] = [:]

    /// Whether `address` may try this wrong token.
    mutating func allow(_ token: [UInt8], of address: String) -> Bool {
      guard limit.allows(address, at: .now) else { return false }
      guard last[address] != token else { return true }
      if last.count >= 1024 { last = [:] }
      last[address] = token
      return limit.take(address, at: .now)
    }
  }

  init(_ rules: AccessRules, tokens: Tokens?, proxies: TrustedProxies) {
    (self.rules, self.tokens, self.proxies) = (rules, tokens, proxies)
  }

  /// What an admitted request asks for, what it may do, and the address to which limits apply.
  struct Admission {
    let question: AccessRules.Question
    let access: Grant
    let client: String
  }

  /// Admits a request for `target` that came from the address `peer`. `own` is the address, with port, that it arrived at. Throws if the
  /// client may not make the request.
  func admit(
    _ head: RequestHead, _ target: RequestTarget, from peer: String, to own: String?
  ) throws(Problem) -> Admission {
    let question = try rules.question(head, target, own: own.map { Array($0.utf8) })
    let client = ClientAddress.network(of: proxies.client(of: peer, head))
    let isAsked = question.match.right > .none
    let access = try rules.access(question, isAsked ? try grant(of: head.token, from: client) : nil)
    let asker = Asker(client: client, token: access.token)
    if question.method.isChange, !changes.withLock({ $0.take(asker, at: .now) }) {
      throw Problem(.tooManyRequests, "too many requests; at most 100 a second", retryAfter: 1)
    }
    return Admission(question: question, access: access, client: client)
  }

  /// Admits the request, and returns it as its handler gets it. Throws if the client may not make the request.
  func admit(_ request: Request, over connection: Connection) throws(Problem) -> WebRequest {
    guard let target = connection.target else { throw Problem(.badRequest, "the request has no target") }
    let head = RequestHead(request.head)
    let admission = try admit(head, target, from: connection.address, to: connection.ownAddress)
    return WebRequest(head, request.body, admission, over: connection, tokens: tokens)
  }

  /// The rights of `token`, which `client` sent; nil: there is no token although one is needed. Throws if the token is wrong. A right
  /// token is never refused, however many wrong ones came from the same address.
  func grant(of token: ArraySlice<UInt8>?, from client: String) throws(Problem) -> Grant? {
    guard let tokens else { return .open }
    guard let token else { return nil }
    if let grant = tokens.grant(of: token) { return grant }
    let wrong = Array(token.prefix(TokenList.longest + 1))
    guard mistakes.withLock({ $0.allow(wrong, of: client) }) else {
      throw Problem(.tooManyRequests, "too many wrong tokens; wait a minute", retryAfter: 60)
    }
    throw Problem(.unauthorized, "unknown token")
  }

  /// Whether requests need a token.
  var needsToken: Bool { tokens != nil }
}
