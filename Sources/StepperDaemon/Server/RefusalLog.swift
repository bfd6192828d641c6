import StepperCore

/// The log of refused connections: the first immediately, then their number every ten seconds.
struct RefusalLog {
  static let interval = Duration.seconds(10)
  /// The number of users that are named; connections of other users are only counted.
  static let mostUsers = 8

  private var counts: [UInt32: Int64] = [:]
  private var others: Int64 = 0
  private var lastReport: Instant?

  /// When to call ``take(at:)``; nil without pending messages.
  var deadline: Instant? {
    guard !counts.isEmpty else { return nil }
    return lastReport.map { $0 + Self.interval } ?? Instant(nanoseconds: 0)
  }

  mutating func note(_ user: UInt32) {
    if counts[user] == nil, counts.count == Self.mostUsers {
      others += 1
    } else {
      counts[user, default: 0] += 1
    }
  }

  /// The message that is due at `now`, if there is one.
  mutating func take(at now: Instant) -> String? {
    guard let deadline, deadline <= now else { return nil }
    defer { (counts, others, lastReport) = ([:], 0, now) }
    var parts = counts.sorted { $0.key < $1.key }.map { user, count in
      "\(count == 1 ? "a connection" : "\(count) connections") of user \(user)"
    }
    if others > 0 { parts.append("\(others) of other users") }
    return "refused \(parts.joined(separator: ", ")): too many are open"
  }
}
