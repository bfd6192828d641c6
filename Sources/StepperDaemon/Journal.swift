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

  private var logger: Logger
  private var limits: [Channel: RateLimit] = [:]
  /// The newest problem, for the service manager's status line.
  private(set) var lastProblem: String?

  /// What has a limit of its own: a flood of news hides no problem, and who talks a lot silences nobody else.
  private struct Channel: Hashable {
    var party: Party
    var isProblem: Bool
    var speaker: String?
  }

  init(_ logger: Logger) { self.logger = logger }

  var level: Logger.Level {
    get { logger.logLevel }
    set { logger.logLevel = newValue }
  }

  func notice(_ party: Party, _ message: String) { write(.notice, party, message) }
  func info(_ party: Party, _ message: String) { write(.info, party, message) }
  func error(_ party: Party, _ message: String) { write(.error, party, message) }
  func warning(_ party: Party, _ message: String) { write(.warning, party, message) }

  /// What somebody else than the daemon says; `speaker` is one of few.
  func quote(_ party: Party, _ speaker: String, _ message: String) {
    write(.info, party, message, speaker: speaker)
  }

  private func write(_ level: Logger.Level, _ party: Party, _ message: String, speaker: String? = nil) {
    if level >= .warning { lastProblem = message }
    guard level >= logger.logLevel else { return }
    let channel = Channel(party: party, isProblem: level >= .warning, speaker: speaker)
    let prefix = speaker.map { "\(party.rawValue): \($0)" } ?? party.rawValue
    switch limits[channel, default: RateLimit()].admit(at: .now) {
    case .refused: return
    case .admitted(let suppressed):
      if suppressed > 0 { logger.notice("\(prefix): \(suppressed) more messages were left out") }
      logger.log(level: level, "\(prefix): \(message)")
    }
  }
}

/// At most so many in an interval; those over it are counted.
struct RateLimit: Hashable {
  static let burst = 20
  static let interval = Duration.seconds(10)

  private var began: Instant?
  private var admitted = 0
  private var suppressed = 0

  enum Verdict: Hashable {
    /// With how many were left out before it.
    case admitted(suppressed: Int)
    case refused
  }

  mutating func admit(at now: Instant) -> Verdict {
    if began.map({ now - $0 >= Self.interval }) ?? true { (began, admitted) = (now, 0) }
    guard admitted < Self.burst else {
      suppressed += 1
      return .refused
    }
    admitted += 1
    defer { suppressed = 0 }
    return .admitted(suppressed: suppressed)
  }
}
