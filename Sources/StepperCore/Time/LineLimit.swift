/// Limits how often a line with a cause outside the daemon is logged: suppressed lines are counted, and the next line
/// tells their number.
package struct LineLimit: Hashable, Sendable {
  private var limit: RateLimit
  /// The number of lines suppressed since the last one.
  private var suppressedCount = 0

  package init(_ limit: RateLimit) { self.limit = limit }

  /// The end of a line: empty, or the number of lines suppressed before it; nil: suppress this line.
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
