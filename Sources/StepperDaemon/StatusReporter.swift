import StepperCore
import StepperSystem
import SystemPackage

/// Keeps the service manager informed: that the daemon is alive, how it is in one line, and when it reloads.
///
/// What could not be told, because the service manager's queue was full, is told again.
struct StatusReporter {
  private let notifier: SystemdNotifier
  /// What was announced and could not be told yet, in its order.
  private var owed: [SystemdNotifier.Message] = []
  private var told = ""
  private var hasNews = false
  private var nextStatus: Instant?
  private var nextWatchdog: Instant?

  /// The line is told at most this often, and what could not be told is tried as often.
  private static let statusInterval = Duration.seconds(1)

  init(_ notifier: SystemdNotifier) { self.notifier = notifier }

  /// When it wants to be called again at the latest; nil where nobody watches and all is told.
  var deadline: Instant? { [nextWatchdog, hasNews ? nextStatus : nil].compactMap(\.self).min() }

  /// Tells `message` at once, or else as soon as ``tell(_:at:)`` can. Throws why not at once.
  mutating func announce(_ message: SystemdNotifier.Message) throws(Errno) {
    // A reload that begins anew replaces the one that nobody has heard of.
    if case .reloading = message { owed = [] }
    owed.append(message)
    try sendOwed()
  }

  /// Call it at the end of each wakeup: the loop has come round.
  mutating func tell(_ line: @autoclosure () -> String, at now: Instant) {
    guard notifier.isConnected else { return }
    tellAlive(at: now)
    let line = line()
    hasNews = line != told || !owed.isEmpty
    guard hasNews, nextStatus.map({ $0 <= now }) ?? true else { return }
    nextStatus = now + Self.statusInterval
    do throws(Errno) {
      try sendOwed()
      if line != told { try notifier.send(.status(line)) }
      told = line
      hasNews = false
    } catch {
      // A service manager that cannot be told does not keep the daemon from its work.
    }
  }

  private mutating func tellAlive(at now: Instant) {
    guard let interval = notifier.watchdogInterval, nextWatchdog.map({ $0 <= now }) ?? true else { return }
    nextWatchdog = now + interval / 2
    // If this one cannot be told, the next comes in time.
    try? notifier.send(.watchdog)
  }

  private mutating func sendOwed() throws(Errno) {
    while let message = owed.first {
      try notifier.send(message)
      owed.removeFirst()
    }
  }
}
