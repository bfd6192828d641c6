internal import Synchronization

/// A value that one thread at a time may use.
///
/// The mutex alone is enough. The atomic shows the order of the threads to ThreadSanitizer, which cannot see into the
/// mutex: where threads wait for each other, it synchronizes in the standard library, which is not instrumented.
struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let turns = Atomic<UInt32>(0)

  init(_ value: consuming sending Value) { mutex = Mutex(value) }

  borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { value throws(Failure) in
      _ = turns.load(ordering: .acquiring)
      defer { turns.store(0, ordering: .releasing) }
      return try body(&value)
    }
  }
}
