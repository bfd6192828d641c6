import StepperCore
import StepperSystem
import SystemPackage

/// Keeps the service manager informed: that the daemon is alive, and how it is in one line.
struct StatusReporter {
  private let notifier: SystemdNotifier
  private var told = ""
  private var nextStatus: Instant?
  private var nextWatchdog: Instant?

  /// The line is told at most this often.
  private static let statusInterval = Duration.seconds(1)

  init(_ notifier: SystemdNotifier) { self.notifier = notifier }

  /// When it wants to be called again at the latest; nil where nobody watches.
  var deadline: Instant? { nextWatchdog }

  /// Call it at the end of each wakeup: the loop has come round.
  mutating func tell(_ line: @autoclosure () -> String, at now: Instant) {
    if let interval = notifier.watchdogInterval, nextWatchdog.map({ $0 <= now }) ?? true {
      nextWatchdog = now + interval / 2
      send(.watchdog)
    }
    guard notifier.isConnected, nextStatus.map({ $0 <= now }) ?? true else { return }
    let line = line()
    guard line != told else { return }
    told = line
    nextStatus = now + Self.statusInterval
    send(.status(line))
  }

  private func send(_ message: SystemdNotifier.Message) {
    // A service manager that cannot be told does not keep the daemon from its work.
    try? notifier.send(message)
  }
}
