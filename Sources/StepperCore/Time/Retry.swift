/// Increasing pauses between attempts, so that a persistent failure costs little.
package struct Retry: Hashable, Sendable {
  /// The time of the next attempt; nil: none is needed, or one is under way.
  package private(set) var at: Instant?
  /// The number of failures without a success between them.
  package private(set) var failures = 0
  private let shortestPause, longestPause, stableAfter: Duration
  /// When the attempt in progress succeeded.
  private var succeeded: Instant?

  /// With `stableAfter`, a success that lasted less than this counts as one more failure, so that a connection that
  /// comes and goes is not retried ever more often. `firstAt` is the time of the first attempt, if one is needed at
  /// once.
  package init(
    shortestPause: Duration = .seconds(1), longestPause: Duration = .seconds(30),
    stableAfter: Duration = .zero,
    firstAt: Instant? = nil
  ) {
    (self.shortestPause, self.longestPause, self.stableAfter) = (shortestPause, longestPause, stableAfter)
    at = firstAt
  }

  package func isDue(at now: Instant) -> Bool { at.map { $0 <= now } ?? false }

  /// An attempt is in progress: nothing is due until it has failed.
  package mutating func begin() { (at, succeeded) = (nil, nil) }

  /// The attempt in progress has succeeded; only the first call for it counts.
  package mutating func succeed(at now: Instant) { succeeded = succeeded ?? now }

  /// The attempt failed, or its success has ended. The next attempt is due after `pause`, by default ``pause(at:)``.
  package mutating func failed(at now: Instant, pause: Duration? = nil) {
    at = now + (pause ?? self.pause(at: now))
    failures = failures(at: now) + 1
    succeeded = nil
  }

  /// The pause after a failure at `now`: the shortest, twice as much, four times as much … up to the longest.
  /// Programs that were cut off together should wait a random part of it, so that they do not return together.
  package func pause(at now: Instant) -> Duration {
    min(shortestPause * (1 << min(failures(at: now), 12)), longestPause)
  }

  private func failures(at now: Instant) -> Int {
    succeeded.map { now - $0 >= stableAfter } ?? false ? 0 : failures
  }

  /// No attempt is needed.
  package mutating func clear() { (at, failures, succeeded) = (nil, 0, nil) }
}
