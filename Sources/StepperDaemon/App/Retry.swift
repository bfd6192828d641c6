import StepperCore

/// Increasing pauses between attempts, so that a persistent failure costs little.
struct Retry: Hashable {
  var at: Instant
  private var pause = Duration.seconds(1)
  /// The number of failed repetitions.
  private(set) var attempts = 0

  static let longestPause = Duration.seconds(30)

  init(after now: Instant) { at = now + pause }

  /// The attempt failed again.
  mutating func postpone(from now: Instant) {
    attempts += 1
    pause = min(pause * 2, Self.longestPause)
    at = now + pause
  }
}
