internal import CLinux
internal import Glibc
package import SystemPackage

/// Signals as a descriptor that can be read.
package struct SignalSource: ~Copyable {
  package enum Signal: CInt, CaseIterable, Hashable, Sendable {
    case hangUp = 1
    case interrupt = 2
    case terminate = 15
  }

  private let descriptor: OwnedFileDescriptor
  /// Whether closing the terminal must not end the program: it was started by nohup(1).
  private let ignoresHangUp: Bool

  package var rawDescriptor: CInt { descriptor.rawValue }

  /// Blocks the signals of the daemon, as `init(numbers:)` does.
  package init() throws(Errno) { try self.init(numbers: Signal.allCases.map(\.rawValue)) }

  /// Blocks the signals `numbers`, so that they are delivered only here, and ignores `SIGPIPE` and `SIGXFSZ`: a write
  /// without a reader, or beyond the maximum file size, then fails with an error.
  ///
  /// The corresponding C function is `signalfd`.
  package init(numbers: [CInt]) throws(Errno) {
    var former = sigaction()
    try Errno.check(unsafe sigaction(SIGHUP, nil, &former))
    var mask = sigset_t()
    unsafe sigemptyset(&mask)
    for number in numbers { unsafe sigaddset(&mask, number) }
    try Errno.check(unsafe sigprocmask(SIG_BLOCK, &mask, nil))
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    descriptor = try OwnedFileDescriptor(unsafe signalfd(-1, &mask, CInt(SFD_CLOEXEC) | CInt(SFD_NONBLOCK)))
    ignoresHangUp =
      unsafe unsafeBitCast(former.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// The next pending signal; nil if there is none.
  package func next() -> Signal? { nextNumber().flatMap(Signal.init) }

  /// The number of the next pending signal; nil if there is none. The kernel's `SIGHUP` for a closed terminal is
  /// returned as `SIGTERM`, because a `SIGHUP` that is sent has another meaning for services. It is left out if
  /// `SIGHUP` was ignored at the start, which has no effect on a blocked signal.
  package func nextNumber() -> CInt? {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    while unsafe read(descriptor.rawValue, &info, size) == size {
      guard info.ssi_signo == SIGHUP, info.ssi_code == CInt(SI_KERNEL) else { return CInt(info.ssi_signo) }
      if !ignoresHangUp { return SIGTERM }
    }
    return nil
  }
}
