internal import CLinux
internal import Glibc
package import StepperCore
internal import Synchronization
package import SystemPackage

/// Performs work that may wait for a disk, or take long, on a separate thread, one piece at a time, and returns results through a
/// descriptor that the event loop watches. The only file of the daemon that starts a thread.
///
/// A thread is used instead of a child process: both are waited for at the end of a process whose disk does not
/// respond, and a thread needs neither a second program image (10 MB on a board) nor a protocol. The work is a `Sendable`
/// closure over values that are handed over when the thread is made. Only the place of its result is shared, so that a
/// result that nobody takes is released with the last of both sides. A thread ends with its piece of work, so the daemon
/// has one thread between two saves.
package final class WorkerThread<Result: Sendable> {
  private let place = ResultPlace<Result>()
  private let results: OwnedFileDescriptor
  private let reports: OwnedFileDescriptor
  /// Whether work has begun whose result has not been taken yet.
  package private(set) var isBusy = false
  private let stackBytes: Int

  /// `stackBytes` is the size of the thread's stack, a power of two.
  package init(stackBytes: Int = 256 << 10) throws(Errno) {
    self.stackBytes = stackBytes
    var ends: [CInt] = [-1, -1]
    try Errno.check(unsafe pipe2(&ends, O_CLOEXEC | O_NONBLOCK))
    results = OwnedFileDescriptor(owning: ends[0])
    reports = OwnedFileDescriptor(owning: ends[1])
  }

  /// Readable when there is a result to take.
  package var rawDescriptor: CInt { results.rawValue }

  /// Begins `work`; requires that it is not busy. Throws, without having done any of it, if the system cannot start a
  /// thread.
  package func start(_ work: @escaping @Sendable () -> Result) throws(Errno) {
    precondition(!isBusy)
    // A copy, because this object may be released before the work ends.
    let report = try OwnedFileDescriptor(fcntl(reports.rawValue, F_DUPFD_CLOEXEC, 3)).release()
    let number = startThread(stackBytes: stackBytes) { [place] in
      place.put(work())
      var byte: UInt8 = 0
      while unsafe write(report, &byte, 1) < 0, errno == EINTR {}
      close(report)
    }
    guard number == 0 else {
      close(report)
      throw Errno(rawValue: number)
    }
    isBusy = true
  }

  /// The result, if the work has ended.
  package func takeResult() -> Result? {
    var byte: UInt8 = 0
    guard unsafe read(results.rawValue, &byte, 1) == 1 else { return nil }
    isBusy = false
    return place.take()
  }

  /// Waits for the result, at most until `deadline`.
  package func waitForResult(until deadline: Instant) -> Result? {
    while isBusy {
      if let result = takeResult() { return result }
      let left = (deadline - .now).nanoseconds
      guard left > 0 else { return nil }
      var readable = pollfd(fd: results.rawValue, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&readable, 1, CInt(clamping: left / 1_000_000 + 1))
    }
    return nil
  }
}

/// Where a thread leaves its result.
private final class ResultPlace<Result: Sendable>: Sendable {
  private let result = Mutex<Result?>(nil)

  func put(_ new: Result) { result.withLock { $0 = new } }

  func take() -> Result? {
    result.withLock { result in
      defer { result = nil }
      return result
    }
  }
}

/// What a thread begins with, as an object behind a pointer.
private final class Box<Content: Sendable>: Sendable {
  let content: Content
  init(_ content: Content) { self.content = content }
}

/// Runs `body` on a detached thread with all signals blocked; returns the error number, or 0.
private func startThread(stackBytes: Int, _ body: @escaping @Sendable () -> Void) -> CInt {
  var attributes = pthread_attr_t()
  let number = unsafe pthread_attr_init(&attributes)
  guard number == 0 else { return number }
  defer { unsafe pthread_attr_destroy(&attributes) }
  unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
  unsafe pthread_attr_setstacksize(&attributes, stackBytes)
  var all = sigset_t()
  var before = sigset_t()
  unsafe sigfillset(&all)
  unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
  let box = unsafe Unmanaged.passRetained(Box(body))
  var thread = pthread_t()
  let result = unsafe pthread_create(
    &thread, &attributes,
    { argument in
      guard let argument = unsafe argument else { return nil }
      unsafe Unmanaged<Box<@Sendable () -> Void>>.fromOpaque(argument).takeRetainedValue().content()
      return nil
    }, box.toOpaque())
  if result != 0 { unsafe box.release() }
  return result
}
