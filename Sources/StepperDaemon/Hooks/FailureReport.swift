import StepperCore

/// Reports repeated failures: the first immediately, the following ones as one sentence at the end of each interval.
struct FailureReport: Hashable {
  static let interval = Duration.seconds(60)

  private var quietUntil: Instant?
  private var unreported = 0
  private var last = ""

  /// The time of the next report.
  var deadline: Instant? { unreported > 0 ? quietUntil : nil }

  /// The message for a failure; nil if it is only counted.
  mutating func failed(_ reason: String, at now: Instant) -> String? {
    guard let quietUntil, now < quietUntil else {
      let summary = advance(to: now)
      quietUntil = now + Self.interval
      return [summary, reason].compactMap(\.self).joined(separator: "; ")
    }
    unreported += 1
    last = reason
    return nil
  }

  /// The sentence about the counted failures, if it is due.
  mutating func advance(to now: Instant) -> String? {
    guard let deadline, deadline <= now else { return nil }
    defer { (unreported, quietUntil) = (0, now + Self.interval) }
    return "failed \(unreported) more \(unreported == 1 ? "time" : "times"), most recently: \(last)"
  }
}
