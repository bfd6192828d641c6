/// One pass of a task over a subscription: a thread of its own reads, and ends with this.
final class SubscriptionReader<Pending: PendingReplies> {
  private let storage: SubscriptionStorage<Pending>

  init(_ plan: SubscriptionPlan<Pending.Method>, _ pending: Pending) throws(StepperClientError) {
    let storage = SubscriptionStorage(pending, wakeup: try Wakeup())
    let started = Thread.start { storage.run(plan) }
    guard started else { throw .noThread }
    self.storage = storage
  }

  deinit { storage.cancel() }

  /// The next element; nil when the task was cancelled.
  func next(
    isolation actor: isolated (any Actor)?
  ) async throws(StepperClientError) -> Pending.Element? {
    let storage = storage
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { storage.wait($0) }
    } onCancel: {
      storage.cancel()
    }
    return try result.get()
  }
}
