import Logging
import StepperCore
import StepperLinux

/// The log of the daemon: each message names its origin, and the rate of messages is limited.
final class Journal {
  /// The part of the daemon, or the kind of program, that a message is from.
  enum Component: String, CaseIterable {
    case device, client, configuration, daemon, hook
    /// A violated invariant of the daemon.
    case bug
  }

  private let output: LogOutput
  private var logger: Logger
  private var limits = LogLimits()
  /// The next attempt to report lost messages.
  private var lossReport = Retry()
  /// The number of messages suppressed by the rate limits since the start.
  private(set) var suppressedCount: Int64 = 0

  init(_ output: LogOutput) {
    self.output = output
    logger = Logger(label: "stepperd") { _ in StderrLogHandler(output) }
  }

  /// The number of messages that standard error did not accept since the start.
  var lostCount: Int64 { output.lostCount }

  var level: Logger.Level {
    get { logger.logLevel }
    set {
      logger.logLevel = newValue
      logsDebug = newValue <= .debug
    }
  }

  /// Whether debug messages are logged. Asking the logger would cost more than all other work for an event.
  private var logsDebug = false

  /// Messages of `--log-level debug`, without a rate limit.
  func debug(_ component: Component, _ message: @autoclosure () -> String) {
    guard logsDebug else { return }
    logger.debug("\(component.rawValue): \(message())")
  }

  func notice(_ component: Component, _ message: String) { write(.notice, component, message) }
  func info(_ component: Component, _ message: String) { write(.info, component, message) }
  func error(_ component: Component, _ message: String) { write(.error, component, message) }
  func warning(_ component: Component, _ message: String) { write(.warning, component, message) }

  /// Logs the output of another program.
  func quote(_ component: Component, _ source: String, _ message: String) {
    write(.info, component, message, source: source)
  }

  private func write(_ level: Logger.Level, _ component: Component, _ message: String, source: String? = nil)
  {
    guard level >= logger.logLevel else { return }
    let now = Instant.now
    let channel = LogChannel(component: component, isProblem: level >= .warning, source: source)
    switch limits.admit(channel, at: now) {
    case .refused: suppressedCount += 1
    case .admitted(let suppressed):
      report(suppressed, of: channel)
      logger.log(level: level, "\(channel): \(message)")
      if output.hasUnreported, lossReport.at == nil { lossReport.failed(at: now) }
    }
  }

  private func report(_ suppressed: Int, of channel: LogChannel) {
    guard suppressed > 0 else { return }
    let what = suppressed == 1 ? "1 more message was" : "\(suppressed) more messages were"
    logger.log(level: channel.isProblem ? .warning : .notice, "\(channel): \(what) suppressed")
  }

  // MARK: Time

  /// The latest time of the next ``advance(to:)``; nil without a pending report.
  var deadline: Instant? { .earliest(limits.deadline, lossReport.at) }

  /// Reports suppressed messages after the end of an interval, and lost messages when standard error accepts lines
  /// again.
  func advance(to now: Instant) {
    for (channel, suppressed) in limits.advance(to: now) { report(suppressed, of: channel) }
    guard lossReport.isDue(at: now) else { return }
    if output.reportLost() { lossReport.clear() } else { lossReport.failed(at: now) }
  }
}
