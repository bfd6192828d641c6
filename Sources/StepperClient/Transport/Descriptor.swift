internal import Glibc

/// A file descriptor with one owner; it is closed when the owner is destroyed.
struct Descriptor: ~Copyable, Sendable {
  let rawValue: CInt

  /// Takes over the descriptor that a system call returned; nil if the call failed, and `errno` says why.
  init?(_ result: CInt) {
    guard result >= 0 else { return nil }
    rawValue = result
  }

  deinit {
    // Linux has released the descriptor whatever close returns.
    _ = close(rawValue)
  }
}

/// The type of the sockets that `socket` and `socketpair` create.
let unixStream =
  CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)

/// The flag of `send` that prevents SIGPIPE.
let noSignal = CInt(truncatingIfNeeded: MSG_NOSIGNAL)
