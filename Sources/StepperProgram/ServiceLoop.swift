internal import Glibc
package import StepperCore
package import StepperLinux
package import SystemPackage

/// Runs a program as a service, on one loop of one thread. Handles its signals and notifies the service manager.
package final class ServiceLoop {
  package let loop: EventLoop
  private let notices: ServiceNotices
  private let signals: SignalSource
  private var isStopping = false
  private var status = ""

  /// Blocks the signals, so that threads that start later leave them to the loop.
  package init(_ notices: ServiceNotices) throws(Errno) {
    self.notices = notices
    signals = try SignalSource()
    loop = try EventLoop()
  }

  /// Runs until `loop` is stopped. `wakeUp` is called in every wakeup and returns the next deadline. `stop` is called at the first
  /// signal, and `reload` at SIGHUP; without `reload`, SIGHUP stops as well.
  package func run(
    status: String, stop: @escaping (Instant) -> Void, reload: ((Instant) -> Void)? = nil,
    _ wakeUp: (Instant) -> Instant?
  ) throws(Errno) {
    try loop.watch(signals.rawDescriptor, priority: .system) { [weak self] _, now in
      self?.takeSignals(at: now, stop, reload)
    }
    self.status = status
    notices.announce(.ready(status: status))
    try loop.run { now in
      let next = wakeUp(now)
      return .earliest(next, notices.update(self.status, at: now))
    }
  }

  /// Shows a status at the end of this wakeup.
  package func show(_ status: String) { self.status = status }

  private func takeSignals(at now: Instant, _ stop: (Instant) -> Void, _ reload: ((Instant) -> Void)?) {
    while let number = signals.nextNumber() {
      if number == SIGHUP, let reload {
        if !isStopping { reload(now) }
      } else if !isStopping {
        isStopping = true
        notices.announce(.stopping, at: now)
        stop(now)
      }
    }
  }
}
