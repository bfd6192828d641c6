import StepperCore
import StepperSystem
import SystemPackage

/// Keeps the service manager informed: that the daemon is alive, how it is in one line, and when it reloads.
///
/// What it did not take, because its queue was full or it could not be reached, is sent again after ever longer pauses.
struct StatusReporter {
  private let notifier: SystemdNotifier
  /// What was announced and not sent yet, in its order.
  private var pending: [SystemdNotifier.Message] = []
  /// Whether it has heard that the daemon is ready.
  private var hasBeenReady = false
  /// The status it has.
  private var sentStatus = ""
  private var hasUnsentStatus = false
  private var nextStatus: Instant?
  private var nextWatchdog: Instant?
  /// Set while it does not take what is sent.
  private var retry: Retry?

  /// The status is sent at most this often.
  private static let statusInterval = Duration.seconds(1)

  /// What has changed about the service manager.
  enum Change: Hashable {
    /// It does not take what is sent; reported once.
    case lost(Errno)
    /// It does again, and has everything.
    case restored
  }

  init(_ notifier: SystemdNotifier) { self.notifier = notifier }

  /// When it wants to be called again at the latest; nil where nobody watches and all is sent.
  var deadline: Instant? { [nextWatchdog, hasUnsentStatus ? nextStatus : nil].compactMap(\.self).min() }

  /// Sends `message` at once, or else as soon as ``tell(_:at:)`` can.
  mutating func announce(_ message: SystemdNotifier.Message, at now: Instant) -> Change? {
    guard notifier.isConnected else { return nil }
    switch message {
    // To the service manager the daemon is still starting: being ready is all it waits for.
    case .reloading where !hasBeenReady: return nil
    // One that nobody has heard of is replaced.
    case .reloading, .stopping: pending = []
    case .ready: pending.removeAll { $0.isReady }
    case .status, .watchdog: break
    }
    pending.append(message)
    return attempt(at: now) { reporter throws(Errno) in try reporter.sendPending() }
  }

  /// Call it at the end of each wakeup: the loop has come round.
  mutating func tell(_ line: @autoclosure () -> String, at now: Instant) -> Change? {
    guard notifier.isConnected else { return nil }
    tellAlive(at: now)
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

  private mutating func tellAlive(at now: Instant) {
    guard let interval = notifier.watchdogInterval, nextWatchdog.map({ $0 <= now }) ?? true else { return }
    nextWatchdog = now + interval / 2
    do throws(Errno) {
      try notifier.send(.watchdog)
    } catch {
      // The next one would come too late if this is lost.
      nextWatchdog = now + min(interval / 2, Self.statusInterval)
    }
  }

  private mutating func attempt(
    at now: Instant, _ body: (inout Self) throws(Errno) -> Void
  ) -> Change? {
    do throws(Errno) {
      try body(&self)
    } catch {
      let isNew = retry == nil
      if isNew { retry = Retry(after: now) } else { retry?.postpone(from: now) }
      nextStatus = retry?.at
      hasUnsentStatus = true
      return isNew ? .lost(error) : nil
    }
    nextStatus = now + Self.statusInterval
    defer { retry = nil }
    return retry == nil ? nil : .restored
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
