internal import Glibc

/// Lets one thread wait for another, without a library of its own for that.
///
/// The corresponding C interface is sem_overview(7).
@safe final class Semaphore: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { unsafe sem_init(semaphore, 0, 0) }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  func signal() { unsafe sem_post(semaphore) }

  func wait() {
    while unsafe sem_wait(semaphore) != 0 && errno == EINTR {}
  }
}
