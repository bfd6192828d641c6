internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Varlink

/// `POST /session` gives a token once, which becomes a cookie; `DELETE /session` takes it back.
struct SessionRoutes {
  static let path = "/api/v1/session"
  static let cookie = "stepper"

  let gate: Gate

  private struct Body: RequestBody {
    static let example = #"{"token": "…"}"#

    var token: String
  }

  func begin(_ request: Request, _ context: WebContext) async throws -> Response {
    let body = try await JSONBody.read(request, as: Body.self)
    guard let right = try gate.right(of: body.token, from: context.connection.address) else {
      throw Problem(.notFound, "no token is needed here")
    }
    let json = JSON.text { buffer throws(VarlinkMessageError) in
      let start = buffer.count
      JSONText.append(",\"right\":", right.rawValue, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
    var response = Response(json: json)
    response.headers[.setCookie] = Self.cookie(body.token, "Max-Age=31536000", request)
    return response
  }

  func end(_ request: Request, _ context: WebContext) throws -> Response {
    var headers = HTTPFields()
    headers[.cacheControl] = "no-store"
    if gate.needsToken { headers[.setCookie] = Self.cookie("", "Max-Age=0", request) }
    return Response(status: .noContent, headers: headers)
  }

  /// Behind TLS the page's origin says so.
  private static func cookie(_ value: String, _ age: String, _ request: Request) -> String {
    let secure = request.headers[.origin]?.lowercased().hasPrefix("https://") == true ? "; Secure" : ""
    return "\(cookie)=\(value); \(age); Path=/; HttpOnly; SameSite=Strict\(secure)"
  }
}
