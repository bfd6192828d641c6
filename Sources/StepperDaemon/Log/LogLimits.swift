import StepperCore

/// A channel of the log with a separate rate limit, so that ordinary messages do not suppress problems, and one
/// source does not suppress others.
struct LogChannel: Hashable, CustomStringConvertible {
  var component: Journal.Component
  var isProblem: Bool
  /// The program whose output is logged, if it is not the daemon.
  var source: String?

  /// The prefix of its messages.
  var description: String { source.map { "\(component.rawValue): \($0)" } ?? component.rawValue }
}

/// The limits of all channels. At most ``mostSources`` have a separate limit; further ones share that of their
/// component.
struct LogLimits {
  static let mostSources = 256

  private var limits: [LogChannel: LogLimit] = [:]
  private var sources = 0
  /// The end of the first interval with suppressed messages.
  private(set) var deadline: Instant?

  mutating func admit(_ channel: LogChannel, at now: Instant) -> LogLimit.Verdict {
    var channel = channel
    if channel.source != nil, limits[channel] == nil {
      if sources >= Self.mostSources { removeIdle(at: now) }
      if sources < Self.mostSources { sources += 1 } else { channel.source = nil }
    }
    let verdict = limits[channel, default: LogLimit()].admit(at: now)
    if verdict == .refused, let end = limits[channel]?.end { deadline = min(deadline ?? end, end) }
    return verdict
  }

  /// The number of suppressed messages of each channel whose interval has ended, if there are any.
  mutating func advance(to now: Instant) -> [(channel: LogChannel, suppressed: Int)] {
    guard let due = deadline, due <= now else { return [] }
    var reports: [(channel: LogChannel, suppressed: Int)] = []
    deadline = nil
    for (channel, limit) in limits where limit.suppressed > 0 {
      guard let end = limit.end else { continue }
      if end <= now {
        reports.append((channel, limit.suppressed))
        remove(channel)
      } else {
        deadline = min(deadline ?? end, end)
      }
    }
    return reports.sorted { "\($0.channel)" < "\($1.channel)" }
  }

  private mutating func removeIdle(at now: Instant) {
    for (channel, limit) in limits where limit.suppressed == 0 && limit.end.map({ $0 <= now }) ?? true {
      remove(channel)
    }
  }

  private mutating func remove(_ channel: LogChannel) {
    limits[channel] = nil
    if channel.source != nil { sources -= 1 }
  }
}

/// A maximum number of messages in an interval; further messages are counted.
struct LogLimit: Hashable {
  static let burst = 20
  static let interval = Duration.seconds(10)

  private var began: Instant?
  private var admitted = 0
  /// The number of messages refused since one was admitted.
  private(set) var suppressed = 0

  enum Verdict: Hashable {
    /// `suppressed` messages were refused before it.
    case admitted(suppressed: Int)
    case refused
  }

  /// The end of its interval; nil before the first message.
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
