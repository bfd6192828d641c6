internal import CLinux
internal import Glibc
internal import StepperCore
internal import SystemPackage

/// Events that are read from a node together and taken one by one.
struct EventBuffer {
  private var events: [input_event] = []
  /// The events that were read and not taken.
  private var unread = 0..<0
  /// The wakeup in which a read did not fill the buffer, and so has returned everything that the kernel had.
  private var exhausted: Instant?
  /// Whether anything was read since a read last found nothing.
  private var hasReadSinceEmpty = true

  /// More than the kernel queues for a device with few axes.
  private static var capacity: Int { 256 }

  var isEmpty: Bool { unread.isEmpty }

  /// The next event; nil after the last one.
  mutating func next() -> input_event? {
    guard let index = unread.first else { return nil }
    unread.removeFirst()
    return events[index]
  }

  /// Reads all available events, once the former ones are taken; false if there are none. Within the wakeup at `now`,
  /// the kernel is not asked again after a read that does not fill the buffer.
  ///
  /// Throws the error of `read`, `EINVAL` after an incomplete event, and `EIO` if the descriptor stays readable
  /// without events, on which a level-triggered event loop would spin.
  mutating func fill(from descriptor: CInt, at now: Instant) throws(Errno) -> Bool {
    guard exhausted != now else { return false }
    if events.isEmpty { events = Array(repeating: input_event(), count: Self.capacity) }
    var isSecondTry = false
    while true {
      let size = unsafe events.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      let error = Errno.current
      if size > 0 {
        let (count, rest) = size.quotientAndRemainder(dividingBy: MemoryLayout<input_event>.stride)
        guard rest == 0 else { throw .invalidArgument }
        unread = 0..<count
        if count < events.count { exhausted = now }
        hasReadSinceEmpty = true
        return true
      }
      guard size == 0 || error.isLater else { throw error }
      let isEmptyWakeup = !hasReadSinceEmpty
      hasReadSinceEmpty = false
      guard isEmptyWakeup, try claimsToBeReadable(descriptor) else { return false }
      // Events may have arrived since the read, so it is repeated once.
      guard !isSecondTry else { throw .ioError }
      isSecondTry = true
    }
  }

  /// Whether the descriptor is readable although reading returned nothing. Throws `ENODEV` after a hangup.
  private func claimsToBeReadable(_ descriptor: CInt) throws(Errno) -> Bool {
    var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&descriptor, 1, 0) > 0 else { return false }
    guard descriptor.revents & Int16(POLLHUP | POLLERR | POLLNVAL) == 0 else {
      throw .operationNotSupportedByDevice
    }
    return true
  }

  /// Drops the events that were read and not taken.
  mutating func discard() {
    unread = 0..<0
    exhausted = nil
  }
}
