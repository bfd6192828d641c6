internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import Synchronization

/// The first and last of each request: who may ask what, answers for problems, and what every answer says.
final class Gate: RouterMiddleware {
  typealias Context = WebContext

  private let hosts: HostRules
  private let tokens: TokenFile?
  private let isReadOnly: Bool
  /// Requests that change something.
  private let posts = Mutex(RateLimit(perSecond: 100, burst: 200))
  /// Wrong tokens, and the last one of each address: a page that repeats it does not try others.
  private let mistakes = Mutex(Mistakes())

  private struct Mistakes {
    var limit = RateLimit(perSecond: 5.0 / 60, burst: 5)
    var last: [String: String] = [:]

    mutating func add(_ token: String, of address: String) {
      guard last[address] != token else { return }
      if last.count >= 1024 { last = [:] }
      last[address] = token
      _ = limit.take(address, at: .now)
    }
  }

  init(hosts: HostRules, tokens: TokenFile?, isReadOnly: Bool) {
    (self.hosts, self.tokens, self.isReadOnly) = (hosts, tokens, isReadOnly)
  }

  func handle(
    _ request: Request, context: WebContext,
    next: @concurrent (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      let right = try check(request, context.connection)
      var context = context
      context.isReadOnly = isReadOnly || right == .view
      response = try await next(request, context)
    } catch let problem as Problem {
      response = problem.response
    } catch let error as HTTPError {
      response = Problem(error.status, error.body ?? error.status.reasonPhrase).response
    } catch {
      context.logger.warning("a request failed: \(error)")
      response = Problem(.internalServerError, "the web program failed").response
    }
    // Pages may have a policy of their own.
    let policy = response.headers[.contentSecurityPolicy]
    SecurityHeaders(policy: policy ?? SecurityHeaders.policy).add(to: &response.headers)
    return response
  }

  /// The right of who asks; nil: no token is needed.
  private func check(_ request: Request, _ connection: Connection) throws(Problem) -> TokenFile.Right? {
    let own = connection.ownAddress
    guard hosts.accepts(host: request.head.authority, own: own) else {
      throw Problem(.misdirectedRequest, "this program is not called that; add the name to hosts = […]")
    }
    guard [.get, .head, .post, .delete].contains(request.method) else {
      var problem = Problem(.methodNotAllowed, "GET, HEAD, POST and DELETE are understood")
      problem.headers[.allow] = "GET, HEAD, POST, DELETE"
      throw problem
    }
    let site = request.headers[.fetchSite]
    guard site == nil || site == "same-origin" || site == "none" else {
      throw Problem(.forbidden, "pages from elsewhere may not use this; open its address itself")
    }
    if let origin = request.headers[.origin] {
      guard hosts.accepts(origin: origin, own: own) else {
        throw Problem(.forbidden, "pages from elsewhere may not use this")
      }
    }
    switch request.method {
    case .get, .head: return try checkRight(.view, request, connection)
    default: return try checkChange(request, connection)
    }
  }

  private func checkChange(_ request: Request, _ connection: Connection) throws(Problem) -> TokenFile.Right? {
    guard request.headers[.origin] != nil || request.headers[.fetchSite] == nil else {
      throw Problem(.forbidden, "a browser must say where a request comes from")
    }
    guard request.headers[.stepper] == "1" else {
      throw Problem(.forbidden, "a request that changes something needs the header X-Stepper: 1")
    }
    guard posts.withLock({ $0.take(connection.address, at: .now) }) else {
      throw Problem(.tooManyRequests, "too many requests; at most 100 a second", retryAfter: 1)
    }
    if request.method == .post {
      let type = request.headers[.contentType]?.lowercased() ?? ""
      guard type == "application/json" || type.hasPrefix("application/json;") else {
        throw Problem(.unsupportedMediaType, "a request that changes something is application/json")
      }
    }
    let right = try checkRight(.operate, request, connection)
    guard !isReadOnly || request.uri.path == SessionRoutes.path else {
      throw Problem(.forbidden, "nothing can be changed here: read-only = true")
    }
    return right
  }

  /// What is no interface, and how to get in, is for all.
  private func checkRight(
    _ right: TokenFile.Right, _ request: Request, _ connection: Connection
  ) throws(Problem) -> TokenFile.Right? {
    let path = request.uri.path
    guard path.hasPrefix("/api/"), path != SessionRoutes.path, path != SettingsRoute.path else { return nil }
    guard let token = request.token else {
      if tokens == nil { return nil }
      throw Problem(.unauthorized, "a token is needed")
    }
    guard let given = try self.right(of: token, from: connection.address) else { return nil }
    guard given >= right else { throw Problem(.forbidden, "this token is for looking only") }
    return given
  }

  /// The right that `token` gives; nil: none is needed. Throws if it gives none.
  func right(of token: String, from address: String) throws(Problem) -> TokenFile.Right? {
    guard let tokens else { return nil }
    guard mistakes.withLock({ $0.limit.allows(address, at: .now) }) else {
      throw Problem(.tooManyRequests, "too many wrong tokens; wait a minute", retryAfter: 60)
    }
    guard let right = tokens.right(of: token) else {
      mistakes.withLock { $0.add(String(token.prefix(TokenFile.tokenLimit + 1)), of: address) }
      throw Problem(.unauthorized, "this is no token")
    }
    return right
  }

  /// Whether requests need a token.
  var needsToken: Bool { tokens != nil }
}

extension Request {
  /// The token of the header or of the cookie.
  fileprivate var token: String? {
    if let header = headers[.authorization], header.lowercased().hasPrefix("bearer ") {
      return String(header.dropFirst("bearer ".count))
    }
    for pair in headers[values: .cookie].joined(separator: ";").split(separator: ";") {
      let pair = pair.drop { $0 == " " }
      if pair.hasPrefix(SessionRoutes.cookie + "=") {
        return String(pair.dropFirst(SessionRoutes.cookie.count + 1))
      }
    }
    return nil
  }
}
