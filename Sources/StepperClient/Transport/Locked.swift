internal import Glibc

/// A value that one thread at a time may use.
///
/// The lock is that of the C library: ThreadSanitizer knows it, but not that of the standard library.
@safe struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

  init(_ value: consuming sending Value) {
    unsafe pthread_mutex_init(lock, nil)
    unsafe self.value.initialize(to: value)
  }

  deinit {
    unsafe value.deinitialize(count: 1).deallocate()
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
  }

  borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return try unsafe body(&value.pointee)
  }
}
