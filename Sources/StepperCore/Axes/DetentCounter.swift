/// Turns the counts of a relative axis into detents.
///
/// Counts that do not yet make a complete detent are kept, and discarded on a reversal and after a pause, so
/// that a knob between two detents neither loses nor adds one (signed accumulate and divide).
struct DetentCounter: Hashable, Sendable {
  private var remainder: Int64 = 0
  private var last: Instant?

  /// The time that counts as a pause, in nanoseconds.
  private static let idleTime: Int64 = 500_000_000

  /// The detents that `counts` complete, with the sign of the turn; `countsPerDetent` is 1 or more.
  mutating func add(_ counts: Int64, per countsPerDetent: Int64, at now: Instant) -> Int64 {
    if let last, now.nanoseconds(since: last) >= Self.idleTime { remainder = 0 }
    if remainder.signum() * counts.signum() < 0 { remainder = 0 }
    last = now
    let (detents, rest) = (remainder + counts).quotientAndRemainder(dividingBy: max(countsPerDetent, 1))
    remainder = rest
    return detents
  }
}
