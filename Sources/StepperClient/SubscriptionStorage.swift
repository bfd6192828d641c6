internal import Synchronization

/// Where the thread that reads a subscription and the task that iterates over it meet.
final class SubscriptionStorage<Pending: PendingReplies>: Sendable {
  typealias Outcome = Result<Pending.Element?, StepperClientError>
  typealias Continuation = CheckedContinuation<Outcome, Never>

  private struct Contents {
    /// nil: nobody takes any more.
    var pending: Pending?
    /// The task that has nothing to do until the next element.
    var waiting: Continuation?
    /// What follows after what is pending.
    var end: Outcome?
  }

  private let contents: Mutex<Contents>
  private let wakeup: Wakeup

  init(_ pending: Pending, wakeup: Wakeup) {
    contents = Mutex(Contents(pending: pending))
    self.wakeup = wakeup
  }

  /// Resumes `continuation` with the next element, now or when there is one.
  func wait(_ continuation: Continuation) {
    let outcome: Outcome? = contents.withLock { contents in
      if let element = contents.pending?.take() { return .success(element) }
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

  /// Ends the sequence now: what is pending is dropped, the thread is woken and closes the connection.
  func cancel() {
    finish { contents in
      contents.pending = nil
      contents.end = .success(nil)
    }
    wakeup.signal()
  }

  /// The body of the thread.
  func run(_ plan: SubscriptionPlan<Pending.Method>) {
    let shell = plan.shell(wakeup)
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

  private func add(_ reply: Pending.Method.Reply) {
    let resumption: (Continuation, Pending.Element)? = contents.withLock { contents in
      guard contents.end == nil else { return nil }
      contents.pending?.add(reply)
      guard let waiting = contents.waiting, let element = contents.pending?.take() else { return nil }
      contents.waiting = nil
      return (waiting, element)
    }
    if let (waiting, element) = resumption { waiting.resume(returning: .success(element)) }
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
