internal import Glibc

/// A detached thread that runs one closure.
package enum Thread {
  /// Runs `body` on a new thread, with all signals blocked so that they reach the program's own threads.
  ///
  /// Returns false if the system has no thread left; then `body` is not run.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    guard unsafe pthread_attr_init(&attributes) == 0 else { return false }
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    unsafe pthread_attr_setstacksize(&attributes, 256 << 10)

    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

    let box = unsafe Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    if result != 0 { unsafe box.release() }
    return result == 0
  }
}

/// The closure that a thread runs, in an object that can be passed through a C pointer.
private final class Body: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
