package import Logging
package import StepperCore
package import StepperLinux
internal import Synchronization

/// Keeps the service manager informed, and logs when it cannot be notified.
package final class ServiceNotices: Sendable {
  package let notifier: SystemdNotifier
  private let reporter: Mutex<StatusReporter>
  private let logger: Logger

  /// Takes the service manager's socket from the environment, so that only this process uses it.
  package init(_ logger: Logger) {
    (notifier, self.logger) = (SystemdNotifier.take(), logger)
    reporter = Mutex(StatusReporter(notifier))
    for problem in notifier.problems { logger.warning("\(problem)") }
  }

  /// Sends `message` immediately, or with a later ``update(_:at:)``.
  package func announce(_ message: SystemdNotifier.Message, at now: Instant = .now) {
    log(reporter.withLock { $0.announce(message, at: now) })
  }

  /// Sends what is due: the watchdog's message, unsent messages, and the status if it has changed. Returns when to call this at the
  /// latest; nil: when the status has changed.
  package func update(_ status: String, at now: Instant) -> Instant? {
    let (change, deadline) = reporter.withLock { ($0.update(status, at: now), $0.deadline) }
    log(change)
    return deadline
  }

  /// Sends what is due, each time after `check` has returned, and looks for a changed status once a second. Returns when the task is
  /// cancelled, or immediately without a service manager.
  package func keep(_ status: @Sendable () -> String, while check: @Sendable () async -> Void) async {
    while notifier.isConnected {
      await check()
      let now = Instant.now
      let next = now + .seconds(1)
      let pause = min(next, update(status(), at: now) ?? next) - now
      // Throws if the task is cancelled.
      guard (try? await Task.sleep(for: pause)) != nil else { return }
    }
  }

  private func log(_ change: StatusReporter.Change?) {
    guard let change else { return }
    logger.log(level: change == .restored ? .notice : .warning, "\(change)")
  }
}
