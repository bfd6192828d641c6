/// What a subscription does next, as a value: it connects, subscribes, resumes and waits between attempts.
///
/// It has no socket and no clock: ``SubscriptionStream`` does what the ``state`` asks for and reports the outcome together
/// with the time.
struct SubscriptionMachine {
  typealias Instant = SuspendingClock.Instant

  enum State: Hashable {
    /// Nothing is open: connect and call the method.
    case disconnected
    /// An attempt to connect and subscribe began, or there is a connection: read the next reply. The first one, which
    /// every daemon sends at once, has to arrive by the deadline; later ones have none.
    case reading(until: Instant?)
    /// The last attempt failed: do nothing until then.
    case waiting(until: Instant)
    /// Closed for good; with the reason, unless it was cancelled.
    case finished(StepperClientError?)
  }

  private(set) var state = State.disconnected
  /// How long the first reply may take.
  let timeout: Duration
  private let waitsForDaemon: Bool
  /// The most time between two attempts.
  private let longestPause: Duration
  /// A reply has arrived before, so the daemon is worth waiting for.
  private var hasSucceeded = false
  /// Attempts since the last success.
  private var failures = 0

  /// `waitsForDaemon`: whether to go on trying when the very first connection fails.
  init(
    timeout: Duration = .seconds(5), waitsForDaemon: Bool = false, longestPause: Duration = .seconds(5)
  ) {
    self.timeout = timeout.clamped
    self.waitsForDaemon = waitsForDaemon
    self.longestPause = longestPause
  }

  /// An attempt to connect and subscribe begins.
  mutating func attempted(at now: Instant) {
    guard state == .disconnected else { return }
    state = .reading(until: now.advanced(by: timeout))
  }

  /// The first reply could have been read since it was due, if the reader had waited: it has its time from `now` on.
  mutating func continued(at now: Instant) {
    if case .reading(let until?) = state, until <= now { state = .reading(until: now.advanced(by: timeout)) }
  }

  /// A reply has arrived.
  mutating func received() {
    guard case .reading = state else { return }
    state = .reading(until: nil)
    hasSucceeded = true
    failures = 0
  }

  /// Connecting or reading failed. Everything that a restart of the daemon can explain is tried again.
  mutating func failed(_ error: StepperClientError, at now: Instant) {
    if case .finished = state { return }
    let isWorthRetrying =
      [.cannotConnect, .disconnected, .stopping, .timedOut, .tooManyConnections].contains(error.code)
    guard isWorthRetrying, hasSucceeded || waitsForDaemon else {
      state = .finished(error.code == .cancelled ? nil : error)
      return
    }
    state = .waiting(until: now.advanced(by: min(Self.backoff(after: failures), longestPause)))
    failures += 1
  }

  /// The time that ``State/waiting(until:)`` names may have come.
  mutating func waited(until now: Instant) {
    if case .waiting(let until) = state, now >= until { state = .disconnected }
  }

  /// 0.1, 0.2, 0.4 … seconds, at most 5.
  static func backoff(after failures: Int) -> Duration {
    min(.milliseconds(100) * (1 << min(failures, 6)), .seconds(5))
  }
}
