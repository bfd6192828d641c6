internal import HTTPTypes
internal import NIOHTTP1

/// The headers of every answer that keep pages safe. ``RequestWatch`` adds them to each head that leaves.
enum SecurityHeaders {
  /// Only what this program serves is loaded, and no text becomes markup. The one type that is trusted is the address of the
  /// panel's own worker, which link/source.js makes; a second one by that name is refused.
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

  /// Pages of the configuration have a policy of their own.
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

  /// A name of letters and hyphens, which is always one.
  private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .from }
}
