internal import StepperCore

/// Which lines of links are logged: a few of each at once, and then one in ten seconds, for what is outside determines how
/// often there is something to say.
struct LinkLines {
  private var limits: [String: LineLimit] = [:]

  /// What a line of `link` ends with; nil: it is left out.
  mutating func end(_ link: String, at now: Instant) -> String? {
    limits[link, default: LineLimit(RateLimit(every: .seconds(10), burst: 10))].end(at: now)
  }
}
