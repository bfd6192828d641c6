internal import HTTPTypes
internal import NIOHTTP1

/// The security headers of every answer. ``RequestWatch`` adds them to each head that is sent.
enum SecurityHeaders {
  /// Loads only resources of this program, and lets no text become markup. The only Trusted Types policy is the one for the URL of the
  /// panel's own worker, in link/source.js; a second policy of that name is refused.
  static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'",
    "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    "require-trusted-types-for 'script'", "trusted-types stepper",
  ].joined(separator: "; ")

  private static let all = [
    ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
  ]

  /// Pages from the configuration have a policy of their own.
  static func add(to headers: inout HTTPHeaders) {
    for (name, value) in all where !headers.contains(name: name) { headers.add(name: name, value: value) }
  }
}

extension HTTPField.Name {
  static let fetchSite = name("Sec-Fetch-Site")
  static let stepper = name("X-Stepper")
  static let accelBuffering = name("X-Accel-Buffering")
  static let forwarded = name("Forwarded")
  static let forwardedFor = name("X-Forwarded-For")
  static let lastEventID = name("Last-Event-ID")

  /// A header name of letters and hyphens, which is always valid.
  private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .from }
}
