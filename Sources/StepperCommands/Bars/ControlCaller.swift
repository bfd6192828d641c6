internal import StepperClient
internal import Synchronization

/// Makes calls one after another on a separate thread, so that keys are read while the daemon does not reply.
final class ControlCaller: Sendable {
  private struct Queue {
    var calls: [ControlCall] = []
    var isRunning = false
  }

  private static let limit = 16

  private let queue = Mutex(Queue())
  private let client: StepperClient
  private let failed: @Sendable (StepperClientError) -> Void

  /// `failed` is called with the errors, on the thread that makes the calls.
  init(_ client: StepperClient, failed: @escaping @Sendable (StepperClientError) -> Void) {
    self.client = client
    self.failed = failed
  }

  /// Makes `call` after the pending ones, merging steps into one call. Returns false if too many calls are pending.
  func make(_ call: ControlCall) -> Bool {
    let (isTaken, starts) = queue.withLock { queue -> (Bool, Bool) in
      if let merged = queue.calls.last?.merged(with: call) {
        queue.calls[queue.calls.count - 1] = merged
      } else if queue.calls.count < Self.limit {
        queue.calls.append(call)
      } else {
        return (false, false)
      }
      defer { queue.isRunning = true }
      return (true, !queue.isRunning)
    }
    guard starts else { return isTaken }
    return Thread.start { [self] in
      while let call = next() {
        do throws(StepperClientError) { try call.perform(with: client) } catch { failed(error) }
      }
    }
  }

  private func next() -> ControlCall? {
    queue.withLock { queue in
      guard !queue.calls.isEmpty else {
        queue.isRunning = false
        return nil
      }
      return queue.calls.removeFirst()
    }
  }
}
