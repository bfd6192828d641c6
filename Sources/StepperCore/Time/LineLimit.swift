/// How often a line may be logged whose cause is outside: lines that are left out are counted, and the next one says how
/// many there were.
package struct LineLimit: Hashable, Sendable {
  private var limit: RateLimit
  /// Lines that were left out since the last one.
  private var suppressedCount = 0

  package init(_ limit: RateLimit) { self.limit = limit }

  /// What a line ends with, empty or the number of those left out before it; nil: the line is left out.
  package mutating func end(at now: Instant) -> String? {
    guard limit.take(at: now) else {
      suppressedCount += 1
      return nil
    }
    defer { suppressedCount = 0 }
    return suppressedCount == 0
      ? "" : " (\(suppressedCount) more before this one \(suppressedCount == 1 ? "was" : "were") suppressed)"
  }
}
