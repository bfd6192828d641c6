internal import CLinux
internal import Glibc
package import StepperCore
package import SystemPackage

/// Performs work that may wait for a disk, or take long, on a separate thread, one piece at a time, and returns
/// results through a descriptor that the event loop watches. The only file of the daemon that starts a thread.
///
/// A thread is used instead of a child process: if a disk does not respond, the end of the daemon has to wait for
/// either, and a thread needs neither a second program image (10 MB on a board) nor a protocol. No lock is needed,
/// because nothing is shared: the work is a `Sendable` closure over values that are handed over when the thread is
/// created. Its result is an object without other references; its address is returned through a pair of sockets,
/// which tells for certain whether it was received. A thread ends with its piece of work, so the daemon has only one
/// thread between two saves.
package final class WorkerThread<Result: Sendable> {
  private let results: OwnedFileDescriptor
  private let reports: OwnedFileDescriptor
  /// Whether work has begun whose result was not taken yet.
  package private(set) var isBusy = false
  private let stackBytes: Int

  /// `stackBytes` is the size of the thread's stack, a power of two.
  package init(stackBytes: Int = 256 << 10) throws(Errno) {
    self.stackBytes = stackBytes
    let pair = try DescriptorPair.sockets()
    results = pair.reading
    reports = pair.writing
  }

  /// A result that was already sent is still received here; after the shutdown, nothing more can be sent.
  deinit {
    _ = shutdown(results.rawValue, CInt(SHUT_RD))
    _ = takeResult()
  }

  /// Readable when there is a result to take.
  package var rawDescriptor: CInt { results.rawValue }

  /// Begins `work`; must not be busy. If the system cannot start a thread, throws without having done any of the
  /// work.
  package func start(_ work: @escaping @Sendable () -> Result) throws(Errno) {
    precondition(!isBusy)
    // A duplicate, because this object may be released before the work ends.
    let report = try OwnedFileDescriptor(fcntl(reports.rawValue, F_DUPFD_CLOEXEC, 3)).release()
    let number = startThread(stackBytes: stackBytes) {
      let box = unsafe Unmanaged.passRetained(Box(work()))
      var address = unsafe UInt(bitPattern: box.toOpaque())
      let size = MemoryLayout<UInt>.size
      var sent = 0
      while true {
        sent = unsafe send(report, &address, size, CInt(MSG_NOSIGNAL))
        guard sent < 0, [EINTR, EAGAIN, ENOMEM, ENOBUFS].contains(errno) else { break }
        // A receiver waits for the result, so the send is repeated: a lack of memory passes.
        _ = poll(nil, 0, errno == EINTR ? 0 : 10)
      }
      // Nobody receives the result any more: it is discarded.
      if sent != size { unsafe box.release() }
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

/// A value that is passed between threads, in an object behind a pointer.
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
