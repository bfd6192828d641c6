internal import Logging
internal import StepperCore
internal import StepperLinux
internal import Synchronization

/// The log of what browsers cause: of each kind 20 lines at once, and then one in ten seconds, with the number of those
/// left out.
final class BrowserLog: Sendable {
  enum Kind: Hashable {
    /// A hold ended without its page.
    case hold
    /// A request could not be answered.
    case failure
  }

  private let logger: Logger
  private let limits = Mutex<[Kind: LineLimit]>([:])

  init(_ logger: Logger) { self.logger = logger }

  func write(_ kind: Kind, _ level: Logger.Level, _ text: @autoclosure () -> String) {
    let end = limits.withLock { limits in
      limits[kind, default: LineLimit(RateLimit(every: .seconds(10), burst: 20))].end(at: .now)
    }
    guard let end else { return }
    logger.log(level: level, "\(text())\(end)")
  }
}
