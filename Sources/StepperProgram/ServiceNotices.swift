package import Logging
package import StepperLinux
internal import SystemPackage

/// Notifications of the service manager. One that fails is logged, and ends nothing.
package struct ServiceNotices: Sendable {
  package let notifier: SystemdNotifier
  private let logger: Logger

  /// Takes the service manager's socket from the environment, for this process alone.
  package init(_ logger: Logger) {
    (notifier, self.logger) = (SystemdNotifier.take(), logger)
    for problem in notifier.problems { logger.warning("\(problem)") }
  }

  package func send(_ message: SystemdNotifier.Message) {
    do throws(Errno) {
      try notifier.send(message)
    } catch {
      logger.warning("the service manager cannot be notified: \(error)")
    }
  }

  /// Sends the status whenever it has changed, once a second. Returns when the task is cancelled.
  package func keepStatus(_ status: @Sendable () -> String) async {
    var last = ""
    while await pause(for: notifier.isConnected ? .seconds(1) : nil) {
      let status = status()
      if status != last { send(.status(status)) }
      last = status
    }
  }

  /// Sends the watchdog's messages, each after `check` has returned. Returns when the task is cancelled.
  package func keepWatchdog(_ check: @Sendable () async -> Void = {}) async {
    while await pause(for: notifier.watchdogInterval.map { $0 / 2 }) {
      await check()
      send(.watchdog)
    }
  }

  /// Whether the time has passed; nil: it never does. Not so when the task is cancelled.
  private func pause(for duration: Duration?) async -> Bool {
    (try? await Task.sleep(for: duration ?? .seconds(1 << 30))) != nil  // Cancelled, it throws.
  }
}
