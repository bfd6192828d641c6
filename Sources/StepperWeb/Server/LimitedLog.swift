internal import Logging
internal import StepperCore
internal import StepperLinux
internal import Synchronization

/// The log for one kind of event that others cause: 20 lines at once, then one every ten seconds, with the number of omitted lines.
final class LimitedLog: Sendable {
  private let logger: Logger
  private let limit = Mutex(LineLimit(RateLimit(every: .seconds(10), burst: 20)))

  init(_ logger: Logger) { self.logger = logger }

  func log(_ level: Logger.Level, _ text: @autoclosure () -> String) {
    guard let end = limit.withLock({ $0.end(at: .now) }) else { return }
    logger.log(level: level, "\(text())\(end)")
  }
}
