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

  package var rawDescriptor: CInt { descriptor.rawValue }

  /// Blocks the signals of the daemon, as `init(numbers:)` does.
  package init() throws(Errno) { try self.init(numbers: Signal.allCases.map(\.rawValue)) }

  /// Blocks the signals `numbers`, so that they are delivered here only, and ignores `SIGPIPE` and `SIGXFSZ`: a write without
  /// a reader, or beyond the maximum file size, is an error.
  ///
  /// The corresponding C function is `signalfd`.
  package init(numbers: [CInt]) throws(Errno) {
    var mask = sigset_t()
    unsafe sigemptyset(&mask)
    for number in numbers { unsafe sigaddset(&mask, number) }
    try Errno.check(unsafe sigprocmask(SIG_BLOCK, &mask, nil))
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    descriptor = try OwnedFileDescriptor(unsafe signalfd(-1, &mask, CInt(SFD_CLOEXEC) | CInt(SFD_NONBLOCK)))
  }

  /// The next pending signal; nil if there is none.
  package func next() -> Signal? { nextNumber().flatMap(Signal.init) }

  /// The number of the next pending signal; nil if there is none.
  package func nextNumber() -> CInt? {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard unsafe read(descriptor.rawValue, &info, size) == size else { return nil }
    return CInt(info.ssi_signo)
  }
}
