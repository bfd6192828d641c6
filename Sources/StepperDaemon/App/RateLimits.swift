import StepperCore

/// What has a limit of its own in the log: a flood of ordinary messages hides no problem, and who talks a lot silences nobody else.
struct LogChannel: Hashable, CustomStringConvertible {
  var party: Journal.Party
  var isProblem: Bool
  /// Whose words these are, if not the daemon's.
  var speaker: String?

  /// What its messages begin with.
  var description: String { speaker.map { "\(party.rawValue): \($0)" } ?? party.rawValue }
}

/// The limits of all channels. There are never more than ``mostSpeakers`` with a limit of their own; further ones share
/// that of their party.
struct RateLimits {
  static let mostSpeakers = 256

  private var limits: [LogChannel: RateLimit] = [:]
  private var speakers = 0
  /// When an interval ends in which messages were left out.
  private(set) var deadline: Instant?

  mutating func admit(_ channel: LogChannel, at now: Instant) -> RateLimit.Verdict {
    var channel = channel
    if channel.speaker != nil, limits[channel] == nil {
      if speakers >= Self.mostSpeakers { forgetTheQuiet(at: now) }
      if speakers < Self.mostSpeakers { speakers += 1 } else { channel.speaker = nil }
    }
    let verdict = limits[channel, default: RateLimit()].admit(at: now)
    if verdict == .refused, let end = limits[channel]?.end { deadline = min(deadline ?? end, end) }
    return verdict
  }

  /// How many messages were left out of the channels whose interval is over, if any were.
  mutating func advance(to now: Instant) -> [(channel: LogChannel, suppressed: Int)] {
    guard let due = deadline, due <= now else { return [] }
    var reports: [(channel: LogChannel, suppressed: Int)] = []
    deadline = nil
    for (channel, limit) in limits where limit.suppressed > 0 {
      guard let end = limit.end else { continue }
      if end <= now {
        reports.append((channel, limit.suppressed))
        forget(channel)
      } else {
        deadline = min(deadline ?? end, end)
      }
    }
    return reports.sorted { "\($0.channel)" < "\($1.channel)" }
  }

  private mutating func forgetTheQuiet(at now: Instant) {
    for (channel, limit) in limits where limit.suppressed == 0 && limit.end.map({ $0 <= now }) ?? true {
      forget(channel)
    }
  }

  private mutating func forget(_ channel: LogChannel) {
    limits[channel] = nil
    if channel.speaker != nil { speakers -= 1 }
  }
}

/// At most so many in an interval; those over it are counted.
struct RateLimit: Hashable {
  static let burst = 20
  static let interval = Duration.seconds(10)

  private var began: Instant?
  private var admitted = 0
  /// How many were refused since one was admitted.
  private(set) var suppressed = 0

  enum Verdict: Hashable {
    /// With how many were left out before it.
    case admitted(suppressed: Int)
    case refused
  }

  /// When its interval is over; nil before the first message.
  var end: Instant? { began.map { $0 + Self.interval } }

  mutating func admit(at now: Instant) -> Verdict {
    if end.map({ now >= $0 }) ?? true { (began, admitted) = (now, 0) }
    guard admitted < Self.burst else {
      suppressed += 1
      return .refused
    }
    admitted += 1
    defer { suppressed = 0 }
    return .admitted(suppressed: suppressed)
  }
}
