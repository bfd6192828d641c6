import StepperCore

/// How long a run of a command may take: when its time is up it is asked to end, a moment later it is killed; and
/// what still holds its output after its end is waited for only briefly.
struct RunPatience: Hashable {
  /// What is to be done now.
  enum Order: Hashable {
    /// Ask every process of it to end.
    case terminate
    /// End every process of it.
    case kill
    /// It is over: take its status, and read no more of its output.
    case finish
  }

  private enum Phase: Hashable {
    case running, terminating, killed, lingering
  }

  private var phase = Phase.running
  /// When ``advance(to:)`` has an order; nil once only the end of the command is waited for.
  private(set) var deadline: Instant?
  /// Whether its time was up before it ended.
  private(set) var hasTimedOut = false
  /// Whether it had to end for another reason than itself.
  private(set) var isCancelled = false

  /// Between the friendly request and the end.
  static let grace = Duration.seconds(1)
  /// For the last words of what the command left behind.
  static let linger = Duration.milliseconds(100)

  init(timeout: Duration, startedAt now: Instant) { deadline = now + timeout }

  mutating func advance(to now: Instant) -> Order? {
    guard let deadline, deadline <= now else { return nil }
    switch phase {
    case .running:
      hasTimedOut = true
      return beginTerminating(at: now)
    case .terminating:
      phase = .killed
      self.deadline = nil
      return .kill
    case .killed, .lingering:
      self.deadline = nil
      return .finish
    }
  }

  /// It is not wanted any more.
  mutating func terminate(at now: Instant) -> Order? {
    guard phase == .running else { return nil }
    isCancelled = true
    return beginTerminating(at: now)
  }

  private mutating func beginTerminating(at now: Instant) -> Order {
    phase = .terminating
    deadline = now + Self.grace
    return .terminate
  }

  /// The command has ended, but its output may not yet.
  mutating func commandEnded(at now: Instant) {
    phase = .lingering
    deadline = now + Self.linger
  }
}
