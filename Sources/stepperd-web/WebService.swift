internal import Logging
internal import StepperLinux
internal import StepperProgram
internal import StepperWeb

/// The program as the service manager sees it.
struct WebService {
  private let program: WebProgram
  private let notices: ServiceNotices
  private let logger: Logger

  init(_ program: WebProgram, _ notices: ServiceNotices, _ logger: Logger) {
    (self.program, self.notices, self.logger) = (program, notices, logger)
  }

  /// Serves until a signal comes. Throws if that is not possible any more.
  func run(until stop: Signal) async throws {
    notices.send(.ready(status: program.status))
    for address in program.addresses { logger.info("listening at \(address)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await program.run() }
      group.addTask { await notices.keepStatus { program.status } }
      // The watchdog is notified when requests could be answered.
      group.addTask { await notices.keepWatchdog { await program.checkThreads() } }
      group.addTask {
        await stop.wait()
        notices.send(.stopping)
        await program.stop()
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}
