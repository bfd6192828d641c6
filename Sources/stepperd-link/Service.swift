internal import Logging
internal import StepperLink
internal import StepperSystem
internal import SystemPackage

/// The program as the service manager sees it.
struct Service {
  private let links: Links?
  private let notifier: SystemdNotifier
  private let logger: Logger

  init(_ links: Links?, _ notifier: SystemdNotifier, _ logger: Logger) {
    (self.links, self.notifier, self.logger) = (links, notifier, logger)
  }

  /// Says that there is nothing to do.
  func announce() { notify(.ready(status: "there is nothing to do")) }

  /// Keeps the links until `stop` says something.
  func run(until stop: AsyncStream<Void>) async {
    guard let links else { return }
    notify(.ready(status: links.status))
    logger.info("keeping \(links.count) link\(links.count == 1 ? "" : "s")")
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await links.run() }
      group.addTask { await keepStatus(links) }
      group.addTask { await keepWatchdog() }
      for await _ in stop { break }
      notify(.stopping)
      group.cancelAll()
    }
  }

  private func keepStatus(_ links: Links) async {
    guard notifier.isConnected else { return }
    var last = ""
    while (try? await Task.sleep(for: .seconds(1))) != nil {  // Cancelled, the loop ends.
      let status = links.status
      if status != last { notify(.status(status)) }
      last = status
    }
  }

  private func keepWatchdog() async {
    guard let interval = notifier.watchdogInterval else { return }
    while (try? await Task.sleep(for: interval / 2)) != nil {  // Cancelled, the loop ends.
      notify(.watchdog)
    }
  }

  private func notify(_ message: SystemdNotifier.Message) {
    do throws(Errno) {
      try notifier.send(message)
    } catch {
      logger.warning("the service manager cannot be notified: \(error)")
    }
  }
}
