internal import StepperWire
internal import Synchronization

/// Where the thread that reads a subscription and the task that iterates over it meet.
final class ChangesStorage: Sendable {
  typealias Outcome = Result<ControlInterface.State?, StepperClientError>
  typealias Continuation = CheckedContinuation<Outcome, Never>

  private struct Contents {
    var pending = PendingStates()
    /// The task that has nothing to do until the next state.
    var waiting: Continuation?
    /// What follows after the pending states.
    var end: Outcome?
  }

  private let contents = Mutex(Contents())
  private let wakeup: Wakeup

  init(wakeup: Wakeup) { self.wakeup = wakeup }

  /// Resumes `continuation` with the next state, now or when there is one.
  func wait(_ continuation: Continuation) {
    let outcome: Outcome? = contents.withLock { contents in
      if let state = contents.pending.take() { return .success(state) }
      if let end = contents.end {
        // An error is told once, after which the sequence is over.
        contents.end = .success(nil)
        return end
      }
      contents.waiting = continuation
      return nil
    }
    if let outcome { continuation.resume(returning: outcome) }
  }

  /// Ends the sequence now: pending states are dropped, the thread is woken and closes the connection.
  func cancel() {
    finish { contents in
      contents.pending = PendingStates()
      contents.end = .success(nil)
    }
    wakeup.signal()
  }

  /// The body of the thread.
  func run(_ changes: StepperChanges) {
    let machine = SubscriptionMachine(
      parameters: changes.parameters, timeout: changes.client.timeout, waitsForDaemon: changes.waitsForDaemon)
    let shell = SubscriptionShell(
      machine: machine, addresses: changes.client.addresses, timeout: changes.client.timeout, wakeup: wakeup)
    while true {
      switch shell.step(until: nil) {
      case .received(let reply): add(reply)
      case .interrupted, .nothing: break
      case .finished(let error):
        finish { contents in
          if contents.end == nil { contents.end = error.map { .failure($0) } ?? .success(nil) }
        }
        return
      }
    }
  }

  private func add(_ reply: ControlInterface.Subscribe.Reply) {
    let resumption: (Continuation, ControlInterface.State)? = contents.withLock { contents in
      guard contents.end == nil else { return nil }
      contents.pending.add(reply.states, isSnapshot: reply.snapshot)
      guard let waiting = contents.waiting, let state = contents.pending.take() else { return nil }
      contents.waiting = nil
      return (waiting, state)
    }
    if let (waiting, state) = resumption { waiting.resume(returning: .success(state)) }
  }

  private func finish(_ change: (inout Contents) -> Void) {
    let resumption: (Continuation, Outcome)? = contents.withLock { contents in
      change(&contents)
      guard let waiting = contents.waiting else { return nil }
      contents.waiting = nil
      let end = contents.end ?? .success(nil)
      contents.end = .success(nil)
      return (waiting, end)
    }
    if let (waiting, end) = resumption { waiting.resume(returning: end) }
  }
}
