internal import Logging
internal import StepperLinux
internal import StepperProgram
internal import StepperWeb

/// The program as a service for the service manager.
struct WebService {
  private let program: WebProgram
  private let notices: ServiceNotices
  private let logger: Logger

  init(_ program: WebProgram, _ notices: ServiceNotices, _ logger: Logger) {
    (self.program, self.notices, self.logger) = (program, notices, logger)
  }

  /// Serves until a signal arrives. Throws if serving becomes impossible.
  func run(until stop: Signal) async throws {
    notices.announce(.ready(status: program.status))
    for address in program.addresses { logger.info("listening at \(address)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await program.run() }
      if notices.notifier.isConnected {
        // The watchdog is notified only while requests can be answered.
        group.addTask { await notices.keep({ program.status }, while: { await program.checkThreads() }) }
      }
      group.addTask {
        await stop.wait()
        notices.announce(.stopping)
        await program.stop()
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}
