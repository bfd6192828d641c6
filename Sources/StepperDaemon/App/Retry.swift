import StepperCore

/// Increasing pauses between attempts, so that a persistent failure costs little.
struct Retry: Hashable {
  /// The time of the next attempt; nil without a failure.
  private(set) var at: Instant?
  /// The number of failures without a success between them.
  private(set) var failures = 0
  private let longestPause: Duration

  init(longestPause: Duration = .seconds(30)) { self.longestPause = longestPause }

  func isDue(at now: Instant) -> Bool { at.map { $0 <= now } ?? false }

  /// The attempt failed. The next one is due after 1 s, 2 s, 4 s … up to the longest pause.
  mutating func failed(at now: Instant) {
    at = now + min(.seconds(Int64(1) << min(failures, 6)), longestPause)
    failures += 1
  }

  /// No attempt is needed.
  mutating func clear() { (at, failures) = (nil, 0) }
}
