internal import HummingbirdCore
internal import Varlink

/// `GET /settings`: the parts of the configuration that the panel needs, also without a token.
struct SettingsRoute {
  let settings: WebSettings
  let gate: Gate

  func get(_ request: WebRequest) throws -> Response { Response(json: text(for: request)) }

  func text(for request: WebRequest) -> [UInt8] {
    JSON.object { buffer throws(VarlinkMessageError) in
      JSONText.append(",\"look\":", settings.look, to: &buffer)
      JSONText.append(",\"language\":", settings.language, to: &buffer)
      JSONText.append(",\"readOnly\":", settings.isReadOnly, to: &buffer)
      try JSONText.append(",\"match\":", settings.match, to: &buffer)
      JSONText.append(",\"token\":", gate.needsToken, to: &buffer)
      JSONText.append(",\"kiosk\":", request.isLocal, to: &buffer)
    }
  }
}
