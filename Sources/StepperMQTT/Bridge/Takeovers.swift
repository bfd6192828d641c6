import StepperCore

/// Recognizes that another client has the ID of this one, such as a board with a copy of its image: a broker has one
/// connection for an ID, so that each of the two ends that of the other.
///
/// A broker of MQTT 5 may say so. Others only close the connection; then at the next one they have the `info` of the other.
struct Takeovers: Hashable, Sendable {
  /// What the `info` of this bridge has, from its start to its end, and of no other.
  let mark: String
  /// Whether the broker has had that.
  var hasPublished = false
  /// When the broker had the `info` of another one last.
  private var lastForeign = Instant.distantPast
  /// Until then it counts as so; the other one may take a minute for its next attempt.
  private(set) var end = Instant.distantPast

  private static let duration = Duration.seconds(180)
  /// Twice within this time is no coincidence: a broker that failed and has what was there long ago shows the `info` of a
  /// former life once. Neither of two clients sees the other each time.
  private static let window = Duration.seconds(600)

  init(seed: UInt64) {
    var random = Jitter(seed: ~seed)
    mark = String(random.next(), radix: 16)
  }

  /// The broker has retained an `info` with this mark; whether that is news of a takeover.
  mutating func read(_ mark: String?, at now: Instant) -> Bool {
    guard let mark, hasPublished, mark != self.mark else { return false }
    defer { lastForeign = now }
    return now < lastForeign + Self.window ? note(at: now) : false
  }

  /// There is another client; whether that is news.
  mutating func note(at now: Instant) -> Bool {
    defer { end = now + Self.duration }
    return end <= now
  }
}
