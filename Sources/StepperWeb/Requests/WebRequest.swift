internal import HTTPTypes
internal import HummingbirdCore

/// A request admitted by ``Gate``, as its handler gets it: its parsed parts, and what it may do.
struct WebRequest: Sendable {
  let method: RequestMethod
  let route: WebRoute
  /// The names that match `*` and `**` in the path of the route.
  let names: [[UInt8]]
  /// The path and the query.
  let target: RequestTarget
  let head: RequestHead
  let body: HummingbirdCore.RequestBody
  let access: Grant
  /// The address to which limits apply: that of the other side, or the one named by a trusted proxy. For a Unix socket it is empty.
  let client: String
  let connection: Connection
  /// nil: no token is needed.
  let tokens: Tokens?

  init(
    _ head: RequestHead, _ body: HummingbirdCore.RequestBody, _ admission: Gate.Admission,
    over connection: Connection, tokens: Tokens?
  ) {
    let question = admission.question
    (method, target) = (question.method, question.target)
    (route, names) = (question.match.route, question.match.names)
    (self.head, self.body) = (head, body)
    (access, client) = (admission.access, admission.client)
    (self.connection, self.tokens) = (connection, tokens)
  }

  /// Whether the client is on this machine.
  var isLocal: Bool {
    client == "::1" || TrustedProxies.address(Array(client.utf8))?.hasPrefix("127.") ?? false
  }

  /// Throws if the token of the request was removed after the request was admitted.
  func checkToken() throws(Problem) {
    guard let token = access.token, let tokens, !tokens.has(token) else { return }
    throw Problem(.unauthorized, "the token was removed")
  }
}

extension RequestHead {
  init(_ head: HTTPRequest) {
    self.init(method: Array(head.method.rawValue.utf8))
    host = head.authority.map { Array($0.utf8) }
    let fields = head.headerFields
    origin = fields.bytes(.origin)
    fetchSite = fields.bytes(.fetchSite)
    stepper = fields.bytes(.stepper)
    contentType = fields.bytes(.contentType)
    authorization = fields.bytes(.authorization)
    cookie = fields.bytes(.cookie)
    forwarded = fields.bytes(.forwarded)
    forwardedFor = fields.bytes(.forwardedFor)
    ifMatch = fields.bytes(.ifMatch)
    ifNoneMatch = fields.bytes(.ifNoneMatch)
    lastEventID = fields.bytes(.lastEventID)
    acceptEncoding = fields.bytes(.acceptEncoding)
  }
}

extension HTTPFields {
  fileprivate func bytes(_ name: HTTPField.Name) -> [UInt8]? { self[name].map { Array($0.utf8) } }
}
