internal import Glibc

/// A file descriptor with one owner, who closes it by going away.
struct Descriptor: ~Copyable, Sendable {
  let rawValue: CInt

  /// Takes over the descriptor a system call returned; nil if it failed, and `errno` says why.
  init?(_ result: CInt) {
    guard result >= 0 else { return nil }
    rawValue = result
  }

  deinit {
    // Linux has released the descriptor whatever close says.
    _ = close(rawValue)
  }
}

/// What ended a wait for a descriptor.
enum Readiness: Hashable {
  case ready, woken, timedOut
}

extension Descriptor {
  /// Waits until the descriptor has one of `events` or hung up, until `wakeup` is signalled, or until `deadline`.
  func wait(
    for events: CInt, until deadline: SuspendingClock.Instant?, orWoken wakeup: Wakeup? = nil
  ) -> Readiness {
    while true {
      var polled = [pollfd(fd: rawValue, events: Int16(events), revents: 0)]
      if let wakeup { polled.append(pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)) }
      let left = deadline.map { milliseconds(until: $0) } ?? -1
      let count = unsafe poll(&polled, nfds_t(polled.count), left)
      if count < 0, errno == EINTR { continue }
      if polled.count > 1, polled[1].revents != 0 { return .woken }
      // Anything but a time-out goes to the system call that follows, which then reports the error.
      if count != 0 { return .ready }
      if let deadline, SuspendingClock.now >= deadline { return .timedOut }
    }
  }

  /// Rounded up, so that a wait does not end just before its deadline; never more than poll takes.
  private func milliseconds(until deadline: SuspendingClock.Instant) -> CInt {
    let left = SuspendingClock.now.duration(to: deadline).components
    guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
    guard left.seconds < 1_000_000 else { return 1_000_000_000 }
    return CInt(left.seconds * 1000 + (left.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}

/// What `socket` and `socketpair` are asked for.
let unixStream =
  CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)

/// Sends without SIGPIPE.
let noSignal = CInt(truncatingIfNeeded: MSG_NOSIGNAL)
