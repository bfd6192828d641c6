internal import Logging
internal import StepperCore
internal import StepperLinux
internal import Synchronization

/// The log of what browsers cause: 20 lines at once, and then one in ten seconds, with the number of those left out.
final class BrowserLog: Sendable {
  private let logger: Logger
  private let limit = Mutex(LineLimit(RateLimit(every: .seconds(10), burst: 20)))

  init(_ logger: Logger) { self.logger = logger }

  func warn(_ text: @autoclosure () -> String) {
    guard let end = limit.withLock({ $0.end(at: .now) }) else { return }
    logger.warning("\(text())\(end)")
  }
}
