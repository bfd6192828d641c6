internal import Synchronization

/// Wakes the one task that waits. If no task waits, the signal is kept for the next wait; several signals count as one.
package final class Signal: Sendable {
  private enum State {
    case idle
    case signalled
    case waiting(CheckedContinuation<Void, Never>)
  }

  private let state = Mutex(State.idle)

  /// A signal that has not been given.
  package init() {}

  /// Ends the current wait or the next one.
  package func signal() {
    let former = state.withLock { state in
      let former = state
      state = if case .waiting = state { .idle } else { .signalled }
      return former
    }
    if case .waiting(let continuation) = former { continuation.resume() }
  }

  /// Returns after a signal, or when the task is cancelled. The result is whether it had to wait.
  @discardableResult
  package func wait() async -> Bool {
    if takeSignal() { return false }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state in
          if case .signalled = state {
            state = .idle
            return true
          }
          state = .waiting(continuation)
          return false
        }
        if isThere { continuation.resume() }
      }
    } onCancel: {
      signal()
    }
    return true
  }

  private func takeSignal() -> Bool {
    state.withLock { state in
      guard case .signalled = state else { return false }
      state = .idle
      return true
    }
  }
}
