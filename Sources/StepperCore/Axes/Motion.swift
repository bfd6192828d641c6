/// A knob that turns or a fader that slides: a gesture that ends when it has rested.
struct Motion: Hashable, Sendable {
  /// How long it rests until the gesture has ended.
  private static let idleTime = Duration.milliseconds(300)

  /// When the gesture ends; nil: none is in progress.
  private(set) var deadline: Instant?

  mutating func move(at now: Instant) { deadline = now + Self.idleTime }

  mutating func end() { deadline = nil }

  mutating func skip(_ duration: Duration) { deadline = deadline.map { $0 + duration } }
}
