/// What the blocking forms of subscriptions have in common: they read on the thread that asks for the next element.
final class BlockingReader<Pending: PendingReplies> {
  /// Called when the connection is lost, with the reason, and when it is there again, with nil.
  var connectionChanged: ((StepperClientError?) -> Void)?
  private(set) var pending: Pending

  private let shell: SubscriptionShell<Pending.Method>
  private var isInterrupted = false

  init(_ plan: SubscriptionPlan<Pending.Method>, _ pending: Pending, wakeup: Wakeup) {
    self.pending = pending
    shell = plan.shell(wakeup)
  }

  /// The next element; nil when there was none within `timeout`. Without a timeout it waits for ever.
  func next(timeout: Duration?) throws(StepperClientError) -> Pending.Element? {
    let deadline = timeout.map { SuspendingClock.now.advanced(by: $0) }
    while true {
      if let element = pending.take() { return element }
      switch shell.step(until: deadline) {
      case .received(let reply):
        pending.add(reply)
        report(nil)
      case .interrupted(let error): report(error)
      case .nothing: if let deadline, deadline <= .now { return nil }
      case .finished(let error): throw error ?? .cancelled
      }
    }
  }

  /// Each loss and each return is told once.
  private func report(_ error: StepperClientError?) {
    guard isInterrupted != (error != nil) else { return }
    isInterrupted = error != nil
    connectionChanged?(error)
  }
}
