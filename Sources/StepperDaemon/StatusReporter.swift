import StepperCore
import StepperSystem
import StepperWire
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
  mutating func tell(_ status: @autoclosure () -> ManagerInterface.GetStatus.Reply, at now: Instant) {
    if let interval = notifier.watchdogInterval, nextWatchdog.map({ $0 <= now }) ?? true {
      nextWatchdog = now + interval / 2
      send(.watchdog)
    }
    guard notifier.isConnected, nextStatus.map({ $0 <= now }) ?? true else { return }
    let text = text(status())
    guard text != told else { return }
    told = text
    nextStatus = now + Self.statusInterval
    send(.status(text))
  }

  /// `2 devices, 1 control, 3 clients; front: permission denied: …`
  func text(_ status: ManagerInterface.GetStatus.Reply) -> String {
    func count(_ number: Int64, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
    let counts = [
      count(status.devices, "device"), count(status.controls, "control"), count(status.clients, "client"),
    ]
    return ([counts.joined(separator: ", ")] + status.problems.prefix(1)).joined(separator: "; ")
  }

  private func send(_ message: SystemdNotifier.Message) {
    // A service manager that cannot be told does not keep the daemon from its work.
    try? notifier.send(message)
  }
}
