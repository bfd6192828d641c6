/// What a subscription does next, as a value: it connects, subscribes, resumes and waits between attempts.
///
/// It has no socket and no clock: ``SubscriptionStream`` performs the ``next`` action and reports the outcome together
/// with the time.
struct SubscriptionMachine<Method: FollowedMethod> {
  typealias Instant = SuspendingClock.Instant

  enum State: Hashable {
    /// Nothing is open.
    case disconnected
    /// An attempt to connect and subscribe began then; the first reply, which every daemon sends at once, has not
    /// arrived.
    case connecting(since: Instant)
    /// The first reply has arrived.
    case connected
    /// The last attempt failed; the next one is at this time.
    case waiting(until: Instant)
    /// For good; with the reason, unless it was cancelled.
    case finished(StepperClientError?)
  }

  enum Action: Hashable {
    /// Open a connection and call the method with these parameters.
    case connect(Method.Parameters)
    /// Read the next reply, giving up at the deadline if there is one.
    case read(until: Instant?)
    /// Do nothing until then.
    case wait(until: Instant)
    /// Close everything.
    case finish(StepperClientError?)
  }

  private(set) var state = State.disconnected
  /// What to call the method with, so that the daemon continues from what was received last.
  private(set) var parameters: Method.Parameters

  private let timeout: Duration
  private let waitsForDaemon: Bool
  /// A reply has arrived before, so the daemon is worth waiting for.
  private var hasSucceeded = false
  /// Attempts since the last success.
  private var failures = 0

  /// `waitsForDaemon`: whether to go on trying when the very first connection fails.
  init(
    parameters: Method.Parameters, timeout: Duration = .seconds(5), waitsForDaemon: Bool = false
  ) {
    self.parameters = parameters
    self.timeout = timeout.clamped
    self.waitsForDaemon = waitsForDaemon
  }

  /// The error of a first reply that did not arrive in time.
  var firstReplyTimedOut: StepperClientError { .timedOut(Method.name, after: timeout) }

  /// What to do now.
  var next: Action {
    switch state {
    case .disconnected: .connect(parameters)
    case .connecting(let since): .read(until: since.advanced(by: timeout))
    case .connected: .read(until: nil)
    case .waiting(let until): .wait(until: until)
    case .finished(let error): .finish(error)
    }
  }

  /// An attempt to connect and subscribe begins.
  mutating func attempted(at now: Instant) {
    guard state == .disconnected else { return }
    state = .connecting(since: now)
  }

  /// The first reply could have been read since it was due, if the reader had waited: it has its time from `now` on.
  mutating func continued(at now: Instant) {
    if case .connecting(let since) = state, since.advanced(by: timeout) <= now {
      state = .connecting(since: now)
    }
  }

  /// A reply has arrived.
  mutating func received(_ reply: Method.Reply) {
    switch state {
    case .connecting, .connected:
      state = .connected
      Method.resume(&parameters, after: reply)
      hasSucceeded = true
      failures = 0
    case .disconnected, .waiting, .finished: break
    }
  }

  /// Connecting or reading failed. Everything that a restart of the daemon can explain is tried again.
  mutating func failed(_ error: StepperClientError, at now: Instant) {
    if case .finished = state { return }
    let isWorthRetrying = [.cannotConnect, .disconnected, .stopping, .timedOut].contains(error.code)
    guard isWorthRetrying, hasSucceeded || waitsForDaemon else {
      state = .finished(error.code == .cancelled ? nil : error)
      return
    }
    state = .waiting(until: now.advanced(by: Self.backoff(after: failures)))
    failures += 1
  }

  /// The time that ``Action/wait(until:)`` named may have come.
  mutating func waited(until now: Instant) {
    if case .waiting(let until) = state, now >= until { state = .disconnected }
  }

  /// 0.1, 0.2, 0.4 … seconds, at most 5.
  static func backoff(after failures: Int) -> Duration {
    min(.milliseconds(100) * (1 << min(failures, 6)), .seconds(5))
  }
}
