internal import CLinux
internal import Glibc
package import StepperCore
package import SystemPackage

/// Waits for descriptors and for one deadline, and calls back on the thread that runs it.
///
/// Handlers do not throw and do not block. Within one wakeup they are called in the order of their
/// priorities, all with the same instant, taken right after the sleep.
package final class EventLoop {
  package typealias Handler = (_ readiness: Readiness, _ now: Instant) -> Void

  /// Who is served first in a wakeup.
  package enum Priority: Hashable, Sendable, CaseIterable {
    case device
    case system
    case client
  }

  /// What a descriptor is watched for, and what it is ready for.
  package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)

    /// Whether the other side has closed both directions, or there is an error to be read. Always told.
    package var isBroken: Bool { rawValue & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 }
  }

  private struct Source {
    var descriptor: CInt
    var priority: Priority
    var handler: Handler
  }

  private let epoll: OwnedFileDescriptor
  private let timer: OwnedFileDescriptor
  /// By registration, so that an event of a descriptor that was closed and reused meanwhile finds nobody.
  private var sources: [UInt64: Source] = [:]
  private var registrations: [CInt: UInt64] = [:]
  private var lastRegistration: UInt64 = 0
  private var isRunning = false
  /// How often it woke up.
  package private(set) var wakeups: Int64 = 0

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
    lastRegistration += 1
    var event = unsafe epoll_event(events: interest.rawValue, data: epoll_data(u64: lastRegistration))
    try Errno.check(unsafe epoll_ctl(epoll.rawValue, EPOLL_CTL_ADD, descriptor, &event))
    registrations[descriptor] = lastRegistration
    sources[lastRegistration] = Source(descriptor: descriptor, priority: priority, handler: handler)
  }

  /// Watches `descriptor` for something else from now on; an empty interest still reports a hang-up.
  package func change(_ descriptor: CInt, to interest: Readiness) {
    guard let registration = registrations[descriptor] else { return }
    var event = unsafe epoll_event(events: interest.rawValue, data: epoll_data(u64: registration))
    // Fails only for descriptors that are not watched.
    _ = unsafe epoll_ctl(epoll.rawValue, EPOLL_CTL_MOD, descriptor, &event)
  }

  /// Call this before `descriptor` is closed.
  package func unwatch(_ descriptor: CInt) {
    guard let registration = registrations.removeValue(forKey: descriptor) else { return }
    sources[registration] = nil
    _ = epoll_ctl(epoll.rawValue, EPOLL_CTL_DEL, descriptor, nil)
  }

  package func stop() { isRunning = false }

  /// Runs until ``stop()``.
  ///
  /// `wakingUp` is called first in every wakeup, and `finishing` last; the latter also once at the start. It
  /// says when to wake up next at the latest.
  package func run(
    wakingUp: (_ now: Instant) -> Void = { _ in }, finishing: (_ now: Instant) -> Instant?
  ) throws(Errno) {
    isRunning = true
    var now = Instant.now
    while true {
      let deadline = finishing(now)
      guard isRunning else { return }
      try arm(deadline)
      let ready = try wait()
      now = .now
      wakeups += 1
      wakingUp(now)
      for priority in Priority.allCases {
        for (registration, readiness) in ready {
          // One that a handler before it took away is not there any more.
          guard let source = sources[registration], source.priority == priority else { continue }
          source.handler(readiness, now)
        }
      }
    }
  }

  private func wait() throws(Errno) -> [(registration: UInt64, readiness: Readiness)] {
    // Room for every source, so that no device waits behind clients for the next wakeup.
    var events = unsafe Array(repeating: epoll_event(), count: sources.count)
    let count = unsafe epoll_wait(epoll.rawValue, &events, CInt(events.count), -1)
    if count < 0, errno == EINTR { return [] }
    try Errno.check(count)
    return unsafe events.prefix(Int(count)).map { event in
      unsafe (registration: event.data.u64, readiness: Readiness(rawValue: event.events))
    }
  }

  /// Setting the timer also clears an expiration nobody read.
  private func arm(_ deadline: Instant?) throws(Errno) {
    var spec = itimerspec(it_interval: timespec(), it_value: deadline?.untilTimer ?? timespec())
    try Errno.check(unsafe timerfd_settime(timer.rawValue, CInt(TFD_TIMER_ABSTIME), &spec, nil))
  }
}
