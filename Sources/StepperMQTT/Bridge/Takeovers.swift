import StepperCore

/// Detects that another client uses the same ID, such as a board with a copy of this board's image. A broker keeps one connection per ID,
/// so that each of the two clients ends the connection of the other.
///
/// A broker of MQTT 5 may report this. Others only close the connection; on the next one they deliver the `info` of the other client.
struct Takeovers: Hashable, Sendable {
  /// A mark in this bridge's `info`, the same from its start to its end, and different from every other bridge's.
  let mark: String
  /// Whether the broker has received the mark.
  var hasPublished = false
  /// When the broker last delivered the `info` of another client.
  private var lastForeign = Instant.distantPast
  /// Until when the ID counts as taken over; the other client may take a minute for its next attempt.
  private(set) var end = Instant.distantPast

  private static let duration = Duration.seconds(180)
  /// Twice within this time is no coincidence. A broker that failed and restored old data shows the `info` of an earlier run once. And
  /// neither of two clients sees the other every time.
  private static let window = Duration.seconds(600)

  init(seed: UInt64) {
    var random = Jitter(seed: ~seed)
    mark = String(random.next(), radix: 16)
  }

  /// The broker has retained an `info` with this mark. Returns whether this newly reveals a takeover.
  mutating func read(_ mark: String?, at now: Instant) -> Bool {
    guard let mark, hasPublished, mark != self.mark else { return false }
    defer { lastForeign = now }
    return now < lastForeign + Self.window ? note(at: now) : false
  }

  /// There is another client. Returns whether that is news.
  mutating func note(at now: Instant) -> Bool {
    defer { end = now + Self.duration }
    return end <= now
  }
}
