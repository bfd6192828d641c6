internal import HTTPTypes

/// What every answer says besides what it is about.
struct SecurityHeaders {
  /// Only what this program serves is loaded, and no text becomes markup.
  static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'",
    "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    "require-trusted-types-for 'script'", "trusted-types 'none'",
  ].joined(separator: "; ")

  static let standard = SecurityHeaders()

  var policy = Self.policy

  func add(to fields: inout HTTPFields) {
    fields[.contentSecurityPolicy] = policy
    fields[.xContentTypeOptions] = "nosniff"
    fields[.referrerPolicy] = "no-referrer"
    fields[.crossOriginResourcePolicy] = "same-origin"
    fields[.crossOriginOpenerPolicy] = "same-origin"
  }
}

extension HTTPField.Name {
  static let referrerPolicy = name("Referrer-Policy")
  static let crossOriginOpenerPolicy = name("Cross-Origin-Opener-Policy")
  static let fetchSite = name("Sec-Fetch-Site")
  static let stepper = name("X-Stepper")
  static let accelBuffering = name("X-Accel-Buffering")
  static let forwarded = name("Forwarded")
  static let forwardedFor = name("X-Forwarded-For")
  static let lastEventID = name("Last-Event-ID")

  /// A name of letters and hyphens, which is always one.
  private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .from }
}
