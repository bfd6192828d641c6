package import StepperCore
package import SystemPackage

/// Keeps the service manager informed: the watchdog, the status line and reloads.
///
/// A message that could not be sent, because the queue of the service manager was full or its socket was unreachable,
/// is sent again after increasing pauses.
package struct StatusReporter: Sendable {
  private let notifier: SystemdNotifier
  /// Unsent messages, in their order.
  private var pending: [SystemdNotifier.Message] = []
  /// Whether readiness has been announced.
  private var hasBeenReady = false
  /// The last status that was sent.
  private var sentStatus = ""
  private var hasUnsentStatus = false
  private var nextStatus: Instant?
  private var nextWatchdog: Instant?
  private var retry = Retry()

  /// Minimum time between two status messages.
  private static let statusInterval = Duration.seconds(1)

  /// A change in the connection to the service manager.
  package enum Change: Hashable, Sendable, CustomStringConvertible {
    /// Messages cannot be sent; reported once.
    case lost(Errno)
    /// All pending messages were sent.
    case restored

    package var description: String {
      switch self {
      case .lost(let error): "cannot notify the service manager: \(error); trying again"
      case .restored: "the service manager is notified again"
      }
    }
  }

  package init(_ notifier: SystemdNotifier) { self.notifier = notifier }

  /// When to call ``update(_:at:)`` at the latest; nil without a watchdog and without unsent messages.
  package var deadline: Instant? { .earliest(nextWatchdog, hasUnsentStatus ? nextStatus : nil) }

  /// Sends `message` immediately, or with a later ``update(_:at:)``.
  package mutating func announce(_ message: SystemdNotifier.Message, at now: Instant) -> Change? {
    guard notifier.isConnected else { return nil }
    switch message {
    // The service manager considers the program to be starting and waits only for its readiness.
    case .reloading where !hasBeenReady: return nil
    // The new message replaces all unsent ones.
    case .reloading, .stopping: pending = []
    case .ready: pending.removeAll { $0.isReady }
    case .status, .watchdog: break
    }
    pending.append(message)
    return attempt(at: now) { reporter throws(Errno) in try reporter.sendPending() }
  }

  /// Sends what is due. Call it at the end of each wakeup, which shows that the loop is running.
  package mutating func update(_ line: @autoclosure () -> String, at now: Instant) -> Change? {
    guard notifier.isConnected else { return nil }
    sendWatchdog(at: now)
    let line = line()
    hasUnsentStatus = line != sentStatus || !pending.isEmpty
    guard hasUnsentStatus, nextStatus.map({ $0 <= now }) ?? true else { return nil }
    return attempt(at: now) { reporter throws(Errno) in
      try reporter.sendPending()
      if line != reporter.sentStatus { try reporter.notifier.send(.status(line)) }
      reporter.sentStatus = line
      reporter.hasUnsentStatus = false
    }
  }

  private mutating func sendWatchdog(at now: Instant) {
    guard let interval = notifier.watchdogInterval, nextWatchdog.map({ $0 <= now }) ?? true else { return }
    nextWatchdog = now + interval / 2
    do throws(Errno) {
      try notifier.send(.watchdog)
    } catch {
      // The watchdog would expire before the usual next message if this one is lost.
      nextWatchdog = now + min(interval / 2, Self.statusInterval)
    }
  }

  private mutating func attempt(
    at now: Instant, _ body: (inout Self) throws(Errno) -> Void
  ) -> Change? {
    do throws(Errno) {
      try body(&self)
    } catch {
      retry.failed(at: now)
      nextStatus = retry.at
      hasUnsentStatus = true
      return retry.failures == 1 ? .lost(error) : nil
    }
    nextStatus = now + Self.statusInterval
    defer { retry.clear() }
    return retry.failures == 0 ? nil : .restored
  }

  private mutating func sendPending() throws(Errno) {
    while let message = pending.first {
      try notifier.send(message)
      if message.isReady { hasBeenReady = true }
      pending.removeFirst()
    }
  }
}

extension SystemdNotifier.Message {
  fileprivate var isReady: Bool { if case .ready = self { true } else { false } }
}
