package import StepperBridge
internal import StepperClient
internal import Synchronization

/// What is between a bridge and the thread of an outside: changes go out, the newest only, and one write at a time comes
/// in. The thread waits for its own descriptors and for ``wakeDescriptor``.
package final class OutsidePort: Sendable {
  fileprivate struct State {
    /// At most terms and a value, or that it is away and nothing.
    var changes: [OutsideChange] = []
    var reader: CheckedContinuation<Void, Never>?
    var write: Double?
    var writer: CheckedContinuation<OutsideFailure?, Never>?
    var isEnded = false
    /// Why the thread has ended, or is not waited for any more.
    var failure: OutsideFailure?
    var hasReported = false
    var hasThreadEnded = false
    /// Who waits for that.
    var ender: AsyncStream<Never>.Continuation?
  }

  private let state = Mutex(State())
  private let wakeup: Wakeup

  init() throws(OutsideFailure) {
    do throws(StepperClientError) {
      wakeup = try Wakeup()
    } catch {
      throw OutsideFailure("there are no descriptors left")
    }
  }

  // MARK: The thread's side

  /// Readable when there is a write or the end; ``takeWakeup()`` makes it unreadable.
  package var wakeDescriptor: CInt { wakeup.descriptor }

  package func takeWakeup() { wakeup.clear() }

  /// Whether the bridge wants nothing any more.
  package var isEnded: Bool { state.withLock { $0.isEnded } }

  /// The value that is to be written now; ``finishWrite(_:)`` must follow.
  package func takeWrite() -> Double? {
    state.withLock { state in
      defer { state.write = nil }
      return state.write
    }
  }

  package func finishWrite(_ failure: OutsideFailure? = nil) {
    let writer = state.withLock { state in
      defer { state.writer = nil }
      return state.writer
    }
    writer?.resume(returning: failure)
  }

  package func report(_ change: OutsideChange) {
    let reader = state.withLock { state in
      state.hasReported = true
      switch change {
      case .value:
        if case .value = state.changes.last { state.changes.removeLast() }
        state.changes.append(change)
      case .terms, .away: state.changes = [change]
      }
      return state.takeReader()
    }
    reader?.resume()
  }

  /// The thread has ended, and why, unless the bridge wanted it.
  func threadEnded(_ failure: OutsideFailure?) {
    let (reader, ender) = state.withLock { state in
      (state.failure, state.hasThreadEnded) = (state.failure ?? failure, true)
      return (state.takeReader(), state.ender)
    }
    reader?.resume()
    finishWrite(failure ?? OutsideFailure("it has ended"))
    ender?.finish()
  }

  // MARK: The bridge's side

  /// The next change; nil when the thread has ended or the task was cancelled.
  func next() async throws(OutsideFailure) -> OutsideChange? {
    while true {
      let change: OutsideChange?? = try state.withLock { state throws(OutsideFailure) in
        if !state.changes.isEmpty { return .some(state.changes.removeFirst()) }
        if let failure = state.failure { throw failure }
        return state.hasThreadEnded || state.isEnded ? .some(nil) : nil
      }
      if let change { return change }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isThere = state.withLock { state in
            if !state.changes.isEmpty || state.hasThreadEnded || state.isEnded { return true }
            state.reader = continuation
            return false
          }
          if isThere { continuation.resume() }
        }
      } onCancel: {
        end()
      }
    }
  }

  func write(_ value: Double) async throws(OutsideFailure) {
    let failure = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<OutsideFailure?, Never>) in
        let failure: OutsideFailure? = state.withLock { state in
          if state.hasThreadEnded || state.isEnded { return state.failure ?? OutsideFailure("it has ended") }
          (state.write, state.writer) = (value, continuation)
          return nil
        }
        if let failure { continuation.resume(returning: failure) } else { wakeup.signal() }
      }
    } onCancel: {
      end()
      finishWrite(OutsideFailure("cancelled"))
    }
    if let failure { throw failure }
  }

  /// Has the thread end.
  func end() { end(nil) }

  /// The thread is not waited for any more, because of `failure`; it ends when it can.
  func abandon(_ failure: OutsideFailure) {
    end(failure)
    finishWrite(failure)
  }

  private func end(_ failure: OutsideFailure?) {
    let reader = state.withLock { state in
      state.isEnded = true
      state.failure = state.failure ?? failure
      return state.takeReader()
    }
    reader?.resume()
    wakeup.signal()
  }

  /// Whether it has told anything.
  var hasReported: Bool { state.withLock { $0.hasReported } }

  /// Waits for the end of the thread, one caller at a time; whether it has come within `time`.
  func threadEnds(within time: Duration) async -> Bool {
    let (end, ender) = AsyncStream.makeStream(of: Never.self)
    let isOver = state.withLock { state in
      state.ender = ender
      return state.hasThreadEnded
    }
    if isOver { return true }
    let alarm = Task {
      try? await Task.sleep(for: time)  // Cancelled, nobody waits any more.
      ender.finish()
    }
    for await _ in end {}
    alarm.cancel()
    return state.withLock { $0.hasThreadEnded }
  }
}

extension OutsidePort.State {
  fileprivate mutating func takeReader() -> CheckedContinuation<Void, Never>? {
    defer { reader = nil }
    return reader
  }
}
