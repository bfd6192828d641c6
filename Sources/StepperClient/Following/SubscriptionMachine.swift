package import StepperCore

/// The next step of a subscription, as a value: it connects, subscribes, resumes and waits between attempts.
///
/// It has no socket and no clock: ``SubscriptionStream`` does what ``state`` asks for and reports the outcome
/// together with the time.
struct SubscriptionMachine: Hashable, Sendable {
  enum State: Hashable {
    /// Nothing is open: connect and call the method.
    case disconnected
    /// An attempt to connect and subscribe has begun, or there is a connection: read the next reply. The first reply,
    /// which every daemon sends at once, has to arrive by the deadline; later ones have no deadline.
    case reading(until: Instant?)
    /// The last attempt failed: do nothing until then.
    case waiting(until: Instant)
    /// Closed for good; with the reason, unless it was cancelled.
    case finished(StepperClientError?)
  }

  private(set) var state = State.disconnected
  let policy: SubscriptionPolicy
  /// Whether a reply has arrived before, so that it is worth waiting for the daemon.
  private var hasSucceeded = false
  private var retry: Retry

  init(_ policy: SubscriptionPolicy = SubscriptionPolicy()) { (self.policy, retry) = (policy, policy.retry) }

  /// An attempt to connect and subscribe begins.
  mutating func attempted(at now: Instant) {
    guard state == .disconnected else { return }
    retry.begin()
    state = .reading(until: now + policy.timeout)
  }

  /// If the deadline of the first reply passed while no reader waited, that reply gets its full time again from `now`
  /// on.
  mutating func continued(at now: Instant) {
    if case .reading(let until?) = state, until <= now { state = .reading(until: now + policy.timeout) }
  }

  /// A reply has arrived.
  mutating func received(at now: Instant) {
    guard case .reading = state else { return }
    state = .reading(until: nil)
    hasSucceeded = true
    retry.succeed(at: now)
  }

  /// Connecting or reading failed. With `isAdapted` the next attempt differs from the one that failed, and begins at once.
  mutating func failed(_ error: StepperClientError, isAdapted: Bool = false, at now: Instant) {
    if case .finished = state { return }
    guard error.code != .cancelled, isWorthRetrying(error) || isAdapted else {
      state = .finished(error.code == .cancelled ? nil : error)
      return
    }
    guard !isAdapted else { return state = .disconnected }
    retry.failed(at: now)
    state = .waiting(until: retry.at ?? now)
  }

  private func isWorthRetrying(_ error: StepperClientError) -> Bool {
    let passes = [.cannotConnect, .disconnected, .stopping, .timedOut, .tooManyConnections].contains(
      error.code)
    return switch policy.persistence {
    case .afterReply: passes && hasSucceeded
    case .fromStart: passes
    case .always: true
    }
  }

  /// Ends ``State/waiting(until:)`` if its time has come.
  mutating func waited(until now: Instant) {
    if case .waiting(let until) = state, now >= until { state = .disconnected }
  }
}

/// How long a subscription waits, and for what.
package struct SubscriptionPolicy: Hashable, Sendable {
  /// The failures after which there is another attempt.
  package enum Persistence: Hashable, Sendable {
    /// Failures that a restart of the daemon explains, once a reply has arrived.
    case afterReply
    /// Failures that a restart of the daemon explains.
    case fromStart
    /// All failures: another daemon may accept what this one refuses.
    case always
  }

  package var persistence: Persistence
  /// How long the first reply may take.
  package var timeout: Duration
  /// The pauses between attempts.
  package var retry: Retry

  package init(
    _ persistence: Persistence = .afterReply, timeout: Duration = .seconds(5),
    retry: Retry = Retry(shortestPause: .milliseconds(100), longestPause: .seconds(5))
  ) {
    (self.persistence, self.timeout, self.retry) = (persistence, timeout, retry)
  }
}
