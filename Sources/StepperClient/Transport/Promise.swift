/// A value that one thread or task waits for and another thread provides.
final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case pending
    case suspended(CheckedContinuation<Value, Never>)
    case blocked(Semaphore)
    case fulfilled(Value)
  }

  private let state = Locked(State.pending)

  /// Provides the value. Only the first one counts.
  func fulfil(_ value: Value) {
    let former = state.withLock { state in
      let former = state
      if case .fulfilled = former { return former }
      state = .fulfilled(value)
      return former
    }
    switch former {
    case .suspended(let continuation): continuation.resume(returning: value)
    case .blocked(let semaphore): semaphore.signal()
    case .pending, .fulfilled: break
    }
  }

  /// Suspends the one task that asks for the value until it is there.
  var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        if let value = valueNow(else: .suspended(continuation)) { continuation.resume(returning: value) }
      }
    }
  }

  /// Blocks the one thread that asks for the value until it is there.
  func wait() -> Value {
    let semaphore = Semaphore()
    while true {
      if let value = valueNow(else: .blocked(semaphore)) { return value }
      semaphore.wait()
    }
  }

  private func valueNow(else waiting: State) -> Value? {
    state.withLock { state in
      if case .fulfilled(let value) = state { return value }
      state = waiting
      return nil
    }
  }
}
