internal import StepperCore

/// One pass over a subscription, by a task or by a thread that blocks. It ends when this object is released.
final class SubscriptionReader<Pending: PendingReplies> {
  private typealias Step = SubscriptionStep<Pending.Element>
  private typealias Connection = ClientConnection<SubscriptionStream<Pending, Promise<Step>>, Step>

  /// Called while a thread waits: with the reason when the connection is lost, and with nil when it is open again.
  var connectionChanged: ((StepperClientError?) -> Void)?

  private let client: StepperClient
  private let connection: Connection
  private var isStarted = false
  private var isOver = false
  private var isInterrupted = false

  init(_ plan: SubscriptionPlan<Pending>, reading: SubscriptionReading) {
    client = plan.client
    connection = Connection(
      SubscriptionStream(plan.pending, reading: reading, plan.policy), to: client.choice,
      isRestricted: client.isRestricted)
  }

  deinit { Self.cancel(connection, client.thread) }

  private static func cancel(_ connection: Connection, _ thread: ClientThread) {
    connection.perform { stream, now in stream.cancel(at: now) }
    thread.wake()
  }

  /// The elements that were received and not taken.
  var pending: Pending { connection.perform { stream, _ in stream.pending } }

  /// The next element; nil when the task was cancelled, and on calls after an error.
  func next(isolation actor: isolated (any Actor)?) async throws(StepperClientError) -> Pending.Element? {
    while let step = try await step(isolation: actor) {
      if case .element(let element) = step { return element }
    }
    return nil
  }

  /// The outcome of the next wait; nil when the task was cancelled, and on calls after an error.
  func step(
    isolation actor: isolated (any Actor)?
  ) async throws(StepperClientError) -> SubscriptionStep<Pending.Element>? {
    guard !isOver else { return nil }
    let (promise, connection, thread) = (try wait(until: nil), connection, client.thread)
    let step = await withTaskCancellationHandler {
      await promise.value
    } onCancel: {
      Self.cancel(connection, thread)
    }
    guard case .finished(let error) = step else { return step }
    isOver = true
    if let error { throw error }
    return nil
  }

  /// The next element; nil when there was none within `timeout`. Without a timeout it waits for ever.
  func next(timeout: Duration?) throws(StepperClientError) -> Pending.Element? {
    let deadline = timeout.map { Instant.now + $0 }
    while true {
      switch try wait(until: deadline).wait() {
      case .element(let element): return element
      case .interrupted(let error):
        // A new reason for the same interruption is not reported again.
        if !isInterrupted { connectionChanged?(error) }
        isInterrupted = true
      case .resumed:
        isInterrupted = false
        connectionChanged?(nil)
      case .timedOut: return nil
      case .finished(let error): throw error ?? .cancelled
      }
    }
  }

  private func wait(until deadline: Instant?) throws(StepperClientError) -> Promise<Step> {
    try client.thread.start(serving: isStarted ? nil : connection)
    isStarted = true
    let promise = Promise<Step>()
    connection.perform { stream, now in stream.wait(promise, until: deadline, at: now) }
    client.thread.wake()
    return promise
  }
}
