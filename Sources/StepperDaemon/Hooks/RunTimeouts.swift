import StepperCore

/// The timeouts of a run. After its timeout, the command receives SIGTERM, and after a grace period SIGKILL. After its
/// end, the daemon waits briefly for processes that still hold its output open.
struct RunTimeouts: Hashable {
  /// The action that is due.
  enum Action: Hashable {
    /// Send SIGTERM to all processes of the run.
    case terminate
    /// Send SIGKILL to all processes of the run.
    case kill
    /// The run has ended: collect its exit status, and stop reading its output.
    case finish
  }

  private enum Phase: Hashable {
    case running, terminating, killed, lingering
  }

  private var phase = Phase.running
  /// The time of the next action; nil while only the end of the command is awaited.
  private(set) var deadline: Instant?
  /// Whether the command exceeded its timeout.
  private(set) var hasTimedOut = false
  private(set) var isCancelled = false
  /// Whether the command is being ended, or has ended.
  var isEnding: Bool { phase != .running }

  /// The time between SIGTERM and SIGKILL.
  static let grace = Duration.seconds(1)
  /// Time for the remaining output of processes that the command left behind.
  static let linger = Duration.milliseconds(100)

  init(timeout: Duration, startedAt now: Instant) { deadline = now + timeout }

  mutating func advance(to now: Instant) -> Action? {
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

  mutating func terminate(at now: Instant) -> Action? {
    guard phase == .running else { return nil }
    isCancelled = true
    return beginTerminating(at: now)
  }

  private mutating func beginTerminating(at now: Instant) -> Action {
    phase = .terminating
    deadline = now + Self.grace
    return .terminate
  }

  /// The command has ended; its output may still be open.
  mutating func commandEnded(at now: Instant) {
    phase = .lingering
    deadline = now + Self.linger
  }
}
