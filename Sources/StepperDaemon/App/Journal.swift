import Logging
import StepperCore
import StepperSystem

/// The daemon's log: every message says whose matter it is, and a flood is cut.
final class Journal {
  /// Whose matter it is.
  enum Party: String, CaseIterable {
    case device, client, configuration, daemon, hook
    /// Something that must not happen.
    case bug
  }

  private let output: LogOutput
  private var logger: Logger
  private var limits = RateLimits()
  /// When to try again to report messages that the output did not take.
  private var lossReport: Retry?
  /// How many messages the rate limits have left out since the start.
  private(set) var suppressedCount: Int64 = 0

  init(_ output: LogOutput) {
    self.output = output
    logger = Logger(label: "stepperd") { _ in StderrLogHandler(output) }
  }

  /// How many messages standard error did not take since the start.
  var lostCount: Int64 { output.lostCount }

  var level: Logger.Level {
    get { logger.logLevel }
    set { logger.logLevel = newValue }
  }

  /// What the daemon does, input by input; never left out.
  func debug(_ party: Party, _ message: @autoclosure () -> String) {
    guard logger.logLevel <= .debug else { return }
    logger.debug("\(party.rawValue): \(message())")
  }

  func notice(_ party: Party, _ message: String) { write(.notice, party, message) }
  func info(_ party: Party, _ message: String) { write(.info, party, message) }
  func error(_ party: Party, _ message: String) { write(.error, party, message) }
  func warning(_ party: Party, _ message: String) { write(.warning, party, message) }

  /// What somebody else than the daemon says.
  func quote(_ party: Party, _ speaker: String, _ message: String) {
    write(.info, party, message, speaker: speaker)
  }

  private func write(_ level: Logger.Level, _ party: Party, _ message: String, speaker: String? = nil) {
    guard level >= logger.logLevel else { return }
    let now = Instant.now
    let channel = LogChannel(party: party, isProblem: level >= .warning, speaker: speaker)
    switch limits.admit(channel, at: now) {
    case .refused: suppressedCount += 1
    case .admitted(let suppressed):
      report(suppressed, of: channel)
      logger.log(level: level, "\(channel): \(message)")
      if output.hasUnreported, lossReport == nil { lossReport = Retry(after: now) }
    }
  }

  private func report(_ suppressed: Int, of channel: LogChannel) {
    guard suppressed > 0 else { return }
    let what = suppressed == 1 ? "1 more message was" : "\(suppressed) more messages were"
    logger.log(level: channel.isProblem ? .warning : .notice, "\(channel): \(what) left out")
  }

  // MARK: Time

  /// When to call ``advance(to:)`` at the latest; nil if there is nothing to report later.
  var deadline: Instant? { [limits.deadline, lossReport?.at].compactMap(\.self).min() }

  /// Reports what was left out, once a flood is over, and what was lost, once standard error takes lines again.
  func advance(to now: Instant) {
    for (channel, suppressed) in limits.advance(to: now) { report(suppressed, of: channel) }
    guard let due = lossReport?.at, due <= now else { return }
    if output.reportLost() { lossReport = nil } else { lossReport?.postpone(from: now) }
  }
}
