import StepperCore

/// Limits the rate at which output is read: a command that writes continuously waits, so that devices do not.
struct OutputPace: Hashable {
  static let bytes = 256 << 10
  static let interval = Duration.milliseconds(100)

  private var began: Instant?
  private var count = 0
  /// The end of the pause; nil without a pause.
  private(set) var deadline: Instant?

  mutating func mustPause(after bytes: Int, at now: Instant) -> Bool {
    if began.map({ now - $0 >= Self.interval }) ?? true { (began, count) = (now, 0) }
    count += bytes
    guard count >= Self.bytes, let began, deadline == nil else { return false }
    deadline = began + Self.interval
    return true
  }

  /// Whether a pause has ended.
  mutating func resume(at now: Instant) -> Bool {
    guard let deadline, deadline <= now else { return false }
    self.deadline = nil
    return true
  }
}
