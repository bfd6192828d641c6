internal import Logging
internal import StepperSystem
internal import StepperWeb
internal import SystemPackage

/// The program as the service manager sees it.
struct Service {
  private let program: WebProgram
  private let notifier: SystemdNotifier
  private let logger: Logger

  init(_ program: WebProgram, _ notifier: SystemdNotifier, _ logger: Logger) {
    (self.program, self.notifier, self.logger) = (program, notifier, logger)
  }

  /// Serves until a signal comes. Throws if that is not possible any more.
  func run(until stop: Signal) async throws {
    notify(.ready(status: program.status))
    for address in program.addresses { logger.info("listening at \(address)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await program.run() }
      group.addTask { await keepStatus() }
      group.addTask { await keepWatchdog() }
      group.addTask {
        await stop.wait()
        notify(.stopping)
        await program.stop()
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func keepStatus() async {
    guard notifier.isConnected else { return await forever() }
    var last = ""
    while (try? await Task.sleep(for: .seconds(1))) != nil {  // Cancelled, the loop ends.
      let status = program.status
      if status != last { notify(.status(status)) }
      last = status
    }
  }

  /// The watchdog is told that requests could be answered.
  private func keepWatchdog() async {
    guard let interval = notifier.watchdogInterval else { return await forever() }
    while (try? await Task.sleep(for: interval / 2)) != nil {  // Cancelled, the loop ends.
      await program.checkThreads()
      notify(.watchdog)
    }
  }

  private func forever() async {
    try? await Task.sleep(for: .seconds(1 << 30))  // Cancelled, it ends.
  }

  private func notify(_ message: SystemdNotifier.Message) {
    do throws(Errno) {
      try notifier.send(message)
    } catch {
      logger.warning("the service manager cannot be notified: \(error)")
    }
  }
}
