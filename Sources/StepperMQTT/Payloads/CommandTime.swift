import Varlink

/// When a command was given, by its sender's clock, and the greatest age that it may reach.
struct CommandTime: Hashable, Sendable {
  /// In seconds since 1970.
  let seconds: Double
  /// In seconds; nil: the board's own limit applies.
  let maxAge: Double?

  /// Distinguishes seconds from milliseconds: a time in milliseconds is greater.
  private static let latest = 1e11

  /// Takes the members of the time; nil: the command has none.
  init?(_ members: inout JSONMembers) throws(JSONMisfit) {
    let time: Double? = try members.optional("time")
    maxAge = try members.optional("maxAge")
    if let maxAge, maxAge < 0 { throw JSONMisfit("\"maxAge\" is a number of seconds, and not below 0") }
    guard let time else {
      guard maxAge == nil else { throw JSONMisfit("\"maxAge\" needs \"time\", when the command was given") }
      return nil
    }
    guard time >= 0, time < Self.latest else {
      throw JSONMisfit("\"time\" is in seconds since 1970, such as 1795393072.5")
    }
    seconds = time
  }
}

/// What is wrong with a clock, judging by the times of commands.
package enum ClockProblem: Hashable, Sendable {
  /// The board's clock is behind a sender's, or the sender's is ahead: the ages of commands are unknown.
  case behind(seconds: Int64)
  /// This number of commands in a row were too old; `seconds` is the age of the newest. The board's clock may be ahead.
  case ahead(seconds: Int64, commands: Int)
}

/// Compares the times of commands with the board's clock.
struct CommandAges: Hashable, Sendable {
  /// CLOCK_REALTIME minus CLOCK_MONOTONIC, in microseconds.
  var realtimeOffset: Int64 = 0
  private var tooOld = 0
  private(set) var problem: ClockProblem?

  /// This number of outdated commands in a row is more than a coincidence.
  private static let suspicious = 3

  /// The age in seconds of a command that is too old; nil: the command may be done.
  mutating func excess(_ given: CommandTime, atMost limit: Double, nanoseconds now: Int64) -> Int64? {
    let clock = Double(now) / 1e9 + Double(realtimeOffset) / 1e6
    let (age, limit) = (clock - given.seconds, given.maxAge ?? limit)
    // The two clocks may differ by the permitted age of a command.
    if age < -max(limit, 1) {
      (tooOld, problem) = (0, .behind(seconds: Int64(-age)))
      return nil
    }
    guard age > limit else {
      (tooOld, problem) = (0, nil)
      return nil
    }
    tooOld = min(tooOld + 1, 1_000_000)
    problem = tooOld < Self.suspicious ? nil : .ahead(seconds: Int64(age), commands: tooOld)
    return Int64(age)
  }
}
