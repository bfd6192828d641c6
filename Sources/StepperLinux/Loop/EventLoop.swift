internal import CLinux
internal import Glibc
package import StepperCore
package import SystemPackage

/// Waits for descriptors and for one deadline, and calls handlers on its own thread.
///
/// Handlers do not throw and do not block. Within one wakeup they are called in the order of their
/// priorities, all with the same instant, taken right after the sleep.
@safe package final class EventLoop {
  package typealias Handler = (_ readiness: Readiness, _ now: Instant) -> Void

  /// The order of handlers in a wakeup.
  package enum Priority: UInt64, Hashable, Sendable {
    case device
    case system
    case client

    fileprivate static let ordered: [Priority] = [.device, .system, .client]
  }

  /// The readiness for which a descriptor is watched, or which it has.
  package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)

    package init(readable: Bool, writable: Bool) {
      rawValue = (readable ? EPOLLIN.rawValue : 0) | (writable ? EPOLLOUT.rawValue : 0)
    }

    /// Whether the peer has closed both directions, or an error is pending. Always reported.
    package var isBroken: Bool { rawValue & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 }
  }

  private struct Source {
    var registration: Registration
    var handler: Handler
  }

  /// The data that the kernel returns with an event: the descriptor, a number that is used once, and the priority.
  private struct Registration: Equatable {
    let rawValue: UInt64

    init(rawValue: UInt64) { self.rawValue = rawValue }
    init(_ descriptor: CInt, _ number: UInt64, _ priority: Priority) {
      rawValue = number << 34 | UInt64(UInt32(bitPattern: descriptor)) << 2 | priority.rawValue
    }

    func has(_ priority: Priority) -> Bool { rawValue & 3 == priority.rawValue }
    var descriptor: Int { Int(UInt32(truncatingIfNeeded: rawValue >> 2)) }
  }

  private let epoll: OwnedFileDescriptor
  private let timer: OwnedFileDescriptor
  /// The sources by descriptor. An event carries its registration: if a descriptor was closed and used again in the
  /// same wakeup, its old events have no handler.
  private var sources: [Source?] = []
  private var sourceCount = 0
  private var lastNumber: UInt64 = 0
  /// The expiration of the timer; nil while it is disarmed.
  private var armed: Instant?
  private var isRunning = false
  /// The buffer for the kernel's events. It has room for every source, so that no device waits behind clients until
  /// the next wakeup.
  private var events: [epoll_event] = unsafe []
  /// The number of wakeups.
  package private(set) var wakeups: Int64 = 0
  /// The time of the last wakeup, or of the creation before ``run(_:)``. Handlers and the functions that they call
  /// use this time.
  package private(set) var now = Instant.now

  package init() throws(Errno) {
    epoll = try OwnedFileDescriptor(epoll_create1(CInt(EPOLL_CLOEXEC)))
    timer = try OwnedFileDescriptor(
      timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK)))
    try watch(timer.rawValue, priority: .system) { _, _ in }
  }

  /// Calls `handler` whenever `descriptor` is ready, until ``unwatch(_:)``.
  package func watch(
    _ descriptor: CInt, for interest: Readiness = .readable, priority: Priority,
    handler: @escaping Handler
  ) throws(Errno) {
    lastNumber += 1
    let registration = Registration(descriptor, lastNumber, priority)
    var event = unsafe epoll_event(
      events: interest.rawValue, data: epoll_data(u64: registration.rawValue))
    try Errno.check(unsafe epoll_ctl(epoll.rawValue, EPOLL_CTL_ADD, descriptor, &event))
    while sources.count <= registration.descriptor { sources.append(nil) }
    sources[registration.descriptor] = Source(registration: registration, handler: handler)
    sourceCount += 1
  }

  /// Changes the readiness for which `descriptor` is watched; a hang-up is reported even with an empty interest.
  package func change(_ descriptor: CInt, to interest: Readiness) {
    guard let registration = source(of: descriptor)?.registration else { return }
    var event = unsafe epoll_event(events: interest.rawValue, data: epoll_data(u64: registration.rawValue))
    // Fails only for descriptors that are not watched.
    _ = unsafe epoll_ctl(epoll.rawValue, EPOLL_CTL_MOD, descriptor, &event)
  }

  /// Stops watching `descriptor`; call this before closing it.
  package func unwatch(_ descriptor: CInt) {
    guard source(of: descriptor) != nil else { return }
    sources[Int(descriptor)] = nil
    sourceCount -= 1
    _ = epoll_ctl(epoll.rawValue, EPOLL_CTL_DEL, descriptor, nil)
  }

  private func source(of descriptor: CInt) -> Source? {
    sources.indices.contains(Int(descriptor)) ? sources[Int(descriptor)] : nil
  }

  package func stop() { isRunning = false }

  /// Runs until ``stop()``.
  ///
  /// Calls `wakeUp` in every wakeup after the handlers, and once at the start. It returns the deadline of the next
  /// wakeup; nil: none.
  package func run(_ wakeUp: (_ now: Instant) -> Instant?) throws(Errno) {
    isRunning = true
    now = .now
    while true {
      let deadline = wakeUp(now)
      guard isRunning else { return }
      try arm(deadline, at: now)
      let count = try wait()
      now = .now
      wakeups += 1
      for priority in Priority.ordered {
        for index in 0..<count {
          let event = unsafe events[index]
          let registration = unsafe Registration(rawValue: event.data.u64)
          // A registration that an earlier handler removed is skipped.
          guard registration.has(priority), let source = sources[registration.descriptor],
            source.registration == registration
          else { continue }
          source.handler(unsafe Readiness(rawValue: event.events), now)
        }
      }
    }
  }

  /// Waits, and returns how many of ``events`` are valid.
  private func wait() throws(Errno) -> Int {
    while unsafe events.count < sourceCount { unsafe events.append(epoll_event()) }
    while true {
      let count = unsafe epoll_wait(epoll.rawValue, &events, CInt(sourceCount), -1)
      // SIGCONT interrupts the wait, although there may be much to read.
      if count < 0, errno == EINTR { continue }
      return Int(try Errno.check(count))
    }
  }

  /// Arms the timer for `deadline`. A timer that expires earlier, or without need, is kept, at the cost of one wakeup
  /// without work: otherwise, deadlines that come, move or go with every event would cost a system call each time.
  /// Setting the timer clears an expiration that was not read.
  private func arm(_ deadline: Instant?, at now: Instant) throws(Errno) {
    let isPending = armed.map { $0 > now } ?? false
    if isPending, let armed, armed <= deadline ?? armed { return }
    guard deadline != nil || armed != nil else { return }
    var spec = itimerspec(it_interval: timespec(), it_value: deadline?.untilTimer ?? timespec())
    try Errno.check(unsafe timerfd_settime(timer.rawValue, CInt(TFD_TIMER_ABSTIME), &spec, nil))
    armed = deadline
  }
}
