internal import HummingbirdCore
internal import Varlink

/// `GET /settings`: the parts of the configuration that the panel needs. It needs no token.
struct SettingsRoute {
  let settings: WebSettings
  let gate: Gate

  func get(_ request: WebRequest) throws -> Response { Response(json: text(for: request)) }

  func text(for request: WebRequest) -> [UInt8] {
    JSON.object([
      "look": settings.look, "language": settings.language, "readOnly": settings.isReadOnly,
      "match": settings.match, "token": gate.needsToken, "kiosk": request.isLocal,
    ])
  }
}
