internal import HTTPTypes
internal import HummingbirdCore
internal import Varlink

/// `POST /session` takes a token once and sets it as a cookie; `DELETE /session` removes the cookie.
struct SessionRoutes {
  let gate: Gate

  func begin(_ request: WebRequest) async throws -> Response {
    let token: String = try await JSONBody.read(request, like: #"{"token": "…"}"#) {
      (members) throws(JSONMisfit) in try members.value("token")
    }
    guard gate.needsToken else { throw Problem(.notFound, "no token is needed here") }
    guard let grant = try gate.grant(of: Array(token.utf8)[...], from: request.client) else {
      throw Problem.needsToken
    }
    var response = Response(json: JSON.object(["right": grant.right.word]))
    response.headers[.setCookie] = Self.cookie(token, "Max-Age=31536000", request)
    return response
  }

  func end(_ request: WebRequest) throws -> Response {
    var headers = HTTPFields()
    headers[.cacheControl] = "no-store"
    if gate.needsToken { headers[.setCookie] = Self.cookie("", "Max-Age=0", request) }
    return Response(status: .noContent, headers: headers)
  }

  /// Behind TLS, the origin of the page is https.
  private static func cookie(_ value: String, _ age: String, _ request: WebRequest) -> String {
    let isSecure = hasPrefix(request.head.origin ?? [], "https://")
    let secure = isSecure ? "; Secure" : ""
    return "\(request.head.sessionCookie)=\(value); \(age); Path=/; HttpOnly; SameSite=Strict\(secure)"
  }
}
