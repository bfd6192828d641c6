internal import HummingbirdCore
internal import Varlink

/// `GET /settings`: the parts of the configuration that the panel needs, which everybody is told, also without a token.
struct SettingsRoute {
  let settings: WebSettings

  func get() -> Response {
    Response(
      json: JSON.object { buffer in
        JSONText.append(",\"look\":", settings.look, to: &buffer)
        JSONText.append(",\"language\":", settings.language, to: &buffer)
      })
  }
}
