internal import CLinux
internal import Glibc
internal import StepperCore
internal import SystemPackage

/// Events that were read from a node at once, and are taken one by one.
struct EventBuffer {
  private var events: [input_event] = []
  /// The part that was read and not taken.
  private var unread = 0..<0
  /// The wakeup in which a read returned everything that the kernel had: it returns as much as there is.
  private var exhausted: Instant?

  /// More than the kernel queues for a device with few axes.
  private static var capacity: Int { 256 }

  enum Filling {
    case filled
    /// The kernel has no events.
    case empty
    /// The kernel had no more events in this wakeup, and is not asked again.
    case knownToBeEmpty
  }

  var isEmpty: Bool { unread.isEmpty }

  /// The next event; nil after the last one.
  mutating func next() -> input_event? {
    guard let index = unread.first else { return nil }
    unread.removeFirst()
    return events[index]
  }

  /// Reads as many events as there are, once all are taken; in the wakeup at `now` only until a read does not fill the
  /// buffer.
  ///
  /// Throws the error of `read`, and `EINVAL` after an incomplete event.
  mutating func fill(from descriptor: CInt, at now: Instant) throws(Errno) -> Filling {
    guard exhausted != now else { return .knownToBeEmpty }
    if events.isEmpty { events = Array(repeating: input_event(), count: Self.capacity) }
    let size = unsafe events.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    guard size > 0 else {
      if size == 0 { return .empty }
      switch Errno.current {
      case .wouldBlock, .resourceTemporarilyUnavailable, .interrupted: return .empty
      case let error: throw error
      }
    }
    let (count, rest) = size.quotientAndRemainder(dividingBy: MemoryLayout<input_event>.stride)
    guard rest == 0 else { throw .invalidArgument }
    unread = 0..<count
    if count < events.count { exhausted = now }
    return .filled
  }

  /// Drops what was read.
  mutating func discard() {
    unread = 0..<0
    exhausted = nil
  }
}
