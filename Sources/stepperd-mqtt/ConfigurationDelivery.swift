internal import Logging
internal import StepperConfiguration
internal import StepperCore
internal import StepperLinux
internal import StepperMQTT
internal import StepperProgram
internal import StepperText
internal import SystemPackage
internal import Varlink

/// The shell around a ``ConfigurationTrial``: its files, and its calls to the daemon.
///
/// The directory of the included file has two files: the included file, which every user may read, and `sent.json` with the kept state.
final class ConfigurationDelivery {
  private var trial: ConfigurationTrial
  private var stateFile: StateFile
  private let path: FilePath
  private let source: ConfigurationSource
  private let logger: Logger
  private let daemon: () -> DaemonChannels?
  /// Logs why a message was not accepted. The network decides how often this happens.
  private let ignore: (String) -> Void
  private let publish: ([UInt8]) -> Void
  /// Queues an answer found without the daemon, to be handled later.
  private let answer: (ConfigurationTrial.Input) -> Void
  /// Why nothing can be written; nil: files can be written.
  private var writeProblem: String?
  /// Why the last write of the files failed.
  private var lastProblem = StandingProblem()

  /// The number of messages that were signed for this board but not accepted.
  private(set) var ignoredCount: Int64 = 0

  private static let stateName = "sent.json"
  private static let stateLimit = 1 << 20

  /// Puts the confirmed configuration in place.
  init(
    into file: String, _ source: ConfigurationSource, healthTime: Duration, _ logger: Logger, at now: Instant,
    daemon: @escaping () -> DaemonChannels?, ignore: @escaping (String) -> Void,
    publish: @escaping ([UInt8]) -> Void, answer: @escaping (ConfigurationTrial.Input) -> Void
  ) {
    path = FilePath(file)
    (self.source, self.logger) = (source, logger)
    (self.daemon, self.ignore, self.publish, self.answer) = (daemon, ignore, publish, answer)
    stateFile = StateFile(Self.stateName, in: path.removingLastComponent())
    trial = ConfigurationTrial(KeptConfiguration(), healthTime: healthTime)
    do {
      trial = ConfigurationTrial(try read(), healthTime: healthTime)
      perform(trial.start(), at: now)
    } catch {
      // No file is touched.
      let problem = "a configuration that is sent cannot be kept: \(Self.reason(error))"
      writeProblem = problem
      logger.error("\(problem)")
    }
    publishState()
  }

  /// Reads the kept state. If it is missing or damaged, the existing included file counts as being in use.
  private func read() throws -> KeptConfiguration {
    try stateFile.open()
    if let kept = try stateFile.newest(KeptConfiguration.self, limit: Self.stateLimit) { return kept }
    var file = includedFile
    switch file.read(.newer, limit: IncludedConfiguration.mostBytes) {
    case .nothing: return KeptConfiguration()
    case .content(let content, let problem):
      guard problem == nil, let text = OutsideText.text(content) else {
        throw ExitFailure(
          .configuration,
          "\(path) is there, and \(problem ?? "it is not \(OutsideText.requirement)"); remove it")
      }
      let kept = KeptConfiguration(inUse: text)
      let version = kept.version > 0 ? " with configuration \(kept.version)" : ""
      logger.notice(
        "\(path) is in use\(version), although \(Self.stateName) does not name it; it stays in use until another one is confirmed"
      )
      return kept
    case .unusable(let failure): throw failure
    }
  }

  private var includedFile: StateFile { stateFile.beside(path.lastComponent?.string ?? "", isPublic: true) }

  private static func reason(_ error: any Error) -> String {
    ((error as? ExitFailure)?.lines.first ?? "\(error)").onOneLine(limit: 512)
  }

  /// Gives up the directory.
  func close() { stateFile.close() }

  var deadline: Instant? { trial.deadline }
  var kept: KeptConfiguration { trial.kept }
  /// Whether a configuration waits for the daemon.
  var isWaiting: Bool { trial.isWaiting }

  /// A problem for people; nil: nothing is wrong.
  var problem: String? { writeProblem ?? lastProblem.text ?? trial.kept.problem }

  /// `isOnline`: whether the board is online.
  func handle(_ input: ConfigurationTrial.Input, isOnline: Bool, at now: Instant) {
    trial.isOnline = isOnline
    handle(input, at: now)
  }

  private func handle(_ input: ConfigurationTrial.Input, at now: Instant) {
    guard writeProblem == nil else { return }
    perform(trial.handle(input, at: now), at: now)
  }

  private func perform(_ effects: [ConfigurationTrial.Effect], at now: Instant) {
    var hasWritten = false
    for effect in effects {
      do {
        if try perform(effect, at: now) { hasWritten = true }
      } catch {
        let reason = "\(error)".onOneLine(limit: 512)
        note("a configuration that was sent, or its result, cannot be written: \(reason)")
        return handle(.failed(reason), at: now)
      }
    }
    guard hasWritten else { return }
    note(nil)
    handle(.written, at: now)
  }

  /// Reports a failed write by other means, each reason once.
  private func note(_ problem: String?) {
    guard lastProblem.change(to: problem) != nil else { return }
    if let problem {
      logger.error("\(problem)")
    } else {
      logger.notice("configurations that are sent can be written again")
    }
    publishState()
  }

  /// Performs an effect. Returns whether it has written a file.
  private func perform(_ effect: ConfigurationTrial.Effect, at now: Instant) throws -> Bool {
    switch effect {
    case .keep(let kept):
      _ = try stateFile.write(kept.json)
      return true
    case .install(let text):
      try install(Array(text.utf8))
      return true
    case .check(let text): check(text, at: now)
    case .ask: daemon()?.askHealth()
    case .report: report()
    case .ignore(let version, let reason):
      ignoredCount += 1
      ignore("configuration \(version) is not taken: \(reason)")
    }
    return false
  }

  /// Writes the included file, unless it already has this content: a start changes nothing.
  private func install(_ text: [UInt8]) throws {
    try stateFile.open()
    var file = includedFile
    let found = file.read(.newer, limit: IncludedConfiguration.mostBytes)
    if case .content(text, nil) = found { return }
    if case .nothing = found, text.isEmpty { return }
    _ = try file.write(text)
  }

  private func check(_ text: String, at now: Instant) {
    let included = Array(text.utf8)
    do {
      let main = try source.read() ?? []
      let (both, own) = IncludedConfiguration.join(main, included, file: path.string)
      guard let both else { throw ExitFailure(.configuration, own.first.map { "\($0)" } ?? "") }
      daemon()?.check(OutsideText.shown(both.text), file: source.path)
    } catch {
      answer(.checked(Self.reason(error)))
    }
  }

  /// Does what is due.
  func advance(to now: Instant) {
    if let due = trial.deadline, due <= now { handle(.time, at: now) }
  }

  private func report() {
    let kept = trial.kept
    if let problem = kept.problem {
      logger.error("\(problem)")
    } else if kept.state == .trying {
      logger.notice("configuration \(kept.version) is tried")
    } else if kept.state == .confirmed {
      logger.notice("configuration \(kept.version) is in use")
    }
    publishState()
  }

  private func publishState() {
    var shown = trial.kept
    if let writeProblem { (shown.state, shown.error) = (.refused, writeProblem) }
    if let lastProblem = lastProblem.text { shown.error = lastProblem }
    publish(shown.published)
  }
}
