internal import Glibc
package import StepperCore
package import StepperLinux
package import SystemPackage

/// A program as a service on one loop of one thread: its signals, and what it tells the service manager.
package final class ServiceLoop {
  package let loop: EventLoop
  private let notices: ServiceNotices
  private let signals: SignalBox
  private var isStopping = false
  private var status = ""
  private var nextWatchdog: Instant?

  /// A source that cannot be copied, in an object.
  private final class SignalBox {
    let source: SignalSource
    init() throws(Errno) { source = try SignalSource() }
  }

  /// Blocks the signals, so that threads that begin later leave them to the loop.
  package init(_ notices: ServiceNotices) throws(Errno) {
    self.notices = notices
    signals = try SignalBox()
    loop = try EventLoop()
  }

  /// Runs until `loop` is stopped. `wakeUp` is called in every wakeup and returns the deadline of the next one; `stop` at the
  /// first signal, `reload` at SIGHUP; without it SIGHUP is one more signal to stop.
  package func run(
    status: String, stop: @escaping (Instant) -> Void, reload: ((Instant) -> Void)? = nil,
    _ wakeUp: (Instant) -> Instant?
  ) throws(Errno) {
    try loop.watch(signals.source.rawDescriptor, priority: .system) { [weak self] _, now in
      self?.takeSignals(at: now, stop, reload)
    }
    notices.send(.ready(status: status))
    try loop.run { now in .earliest(wakeUp(now), watchdog(at: now)) }
  }

  /// Shows a status, and returns whether it is another one than before.
  package func show(_ status: String) -> Bool {
    guard status != self.status else { return false }
    self.status = status
    notices.send(.status(status))
    return true
  }

  private func takeSignals(at now: Instant, _ stop: (Instant) -> Void, _ reload: ((Instant) -> Void)?) {
    while let number = signals.source.nextNumber() {
      if number == SIGHUP, let reload {
        reload(now)
      } else if !isStopping {
        isStopping = true
        notices.send(.stopping)
        stop(now)
      }
    }
  }

  /// When the watchdog is due again.
  private func watchdog(at now: Instant) -> Instant? {
    guard let interval = notices.notifier.watchdogInterval else { return nil }
    if nextWatchdog ?? now <= now {
      notices.send(.watchdog)
      nextWatchdog = now + interval / 2
    }
    return nextWatchdog
  }
}
