internal import CLinux
internal import Glibc
package import StepperCore
package import SystemPackage

/// Does work that may wait for a disk on a thread of its own, one piece at a time, and reports back through a
/// descriptor that the event loop watches. The only file of the daemon that starts a thread.
///
/// Why a thread and not a child process: both are waited for at the end of a process whose disk does not answer, and
/// a thread needs neither a second program image (10 MB on a board) nor a protocol. Why no lock: nothing is shared.
/// The work is a `Sendable` closure over values that are handed over when the thread is made; its result is an object
/// that nobody else knows, whose address comes back through a pipe. A thread lasts as long as its piece of work, so
/// that between two saves the daemon has one thread.
package final class WorkerThread<Result: Sendable> {
  private let results: OwnedFileDescriptor
  private let reports: OwnedFileDescriptor
  /// Whether work was begun whose result was not taken yet.
  package private(set) var isBusy = false

  package init() throws(Errno) {
    var ends: [CInt] = [-1, -1]
    try Errno.check(unsafe pipe2(&ends, O_CLOEXEC | O_NONBLOCK))
    results = OwnedFileDescriptor(owning: ends[0])
    reports = OwnedFileDescriptor(owning: ends[1])
  }

  /// Readable when there is a result to take.
  package var rawDescriptor: CInt { results.rawValue }

  /// Begins; not while it is busy. Throws if the system has no thread left, and then nothing was done.
  package func start(_ work: @escaping @Sendable () -> Result) throws(Errno) {
    precondition(!isBusy)
    // Its own copy: this object may be gone when it is done.
    let report = try OwnedFileDescriptor(fcntl(reports.rawValue, F_DUPFD_CLOEXEC, 3)).release()
    let number = startThread {
      let box = unsafe Unmanaged.passRetained(Box(work()))
      var address = unsafe UInt(bitPattern: box.toOpaque())
      let size = MemoryLayout<UInt>.size
      var written = 0
      repeat { written = unsafe write(report, &address, size) } while written < 0 && errno == EINTR
      // Nobody reads any more: the result is for nobody.
      if written != size { unsafe box.release() }
      close(report)
    }
    guard number == 0 else {
      close(report)
      throw Errno(rawValue: number)
    }
    isBusy = true
  }

  /// The result, if the work is done.
  package func takeResult() -> Result? {
    var address: UInt = 0
    let size = MemoryLayout<UInt>.size
    guard unsafe read(results.rawValue, &address, size) == size,
      let pointer = unsafe UnsafeRawPointer(bitPattern: address)
    else { return nil }
    isBusy = false
    return unsafe Unmanaged<Box<Result>>.fromOpaque(pointer).takeRetainedValue().content
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

/// What goes from one thread to another, as an object that fits through a pointer.
private final class Box<Content: Sendable>: Sendable {
  let content: Content
  init(_ content: Content) { self.content = content }
}

/// Runs `body` on a thread that nobody joins and that takes no signals; returns the number of the error, or 0.
private func startThread(_ body: @escaping @Sendable () -> Void) -> CInt {
  var attributes = pthread_attr_t()
  let number = unsafe pthread_attr_init(&attributes)
  guard number == 0 else { return number }
  defer { unsafe pthread_attr_destroy(&attributes) }
  unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
  unsafe pthread_attr_setstacksize(&attributes, 256 << 10)
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
