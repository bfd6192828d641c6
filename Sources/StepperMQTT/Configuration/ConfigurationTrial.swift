package import StepperCore

/// Handles a configuration that is sent over the network, as a value without I/O and without a clock.
///
/// ```
/// idle ──► checking ──► comparing ──► trying ──► ending ──► idle: confirmed
///             │ refused     the state     │ rolled back: the confirmed one is put in use again
///             ▼             of before     ▼
///           ending                      ending
/// ```
/// A daemon that is away or does not answer says nothing about a configuration. Until the configuration is in use, it waits for the
/// daemon and then begins anew. The kept state is written before the file is replaced, and again after the file was put back. So if the
/// board loses power, the kept state says `trying` until the result is known, and the next start puts the confirmed configuration in
/// place. A result counts as known once it is written; a write that fails is repeated.
package struct ConfigurationTrial: Sendable {
  private enum Phase: Hashable, Sendable {
    case idle
    case checking(SignedConfiguration)
    case comparing(SignedConfiguration)
    case trying(SignedConfiguration, before: Health, since: Instant, last: String)
    /// The result of this message is written; nil: the confirmed configuration is put in place at the start.
    case ending(SignedConfiguration?)
  }

  /// The state that was written last.
  package private(set) var kept: KeptConfiguration
  /// The state that is to be kept but is not written yet.
  private var unwritten: KeptConfiguration?
  /// Whether the confirmed configuration is to be put in place along with it.
  private var isPuttingBack = false
  private var writing = Retry()
  /// Whether the board is online. Must be set before a `health` is handled.
  package var isOnline = false
  private var phase = Phase.idle
  /// The newest configuration that arrived during a trial, or that waits for the daemon.
  private var next: SignedConfiguration?
  /// How often the daemon has not answered a question about it.
  private var unanswered = 0
  private let healthTime: Duration
  /// The content of the file under trial.
  private var installed = ""
  private var nextAsk = Instant.distantPast
  private var effects: [Effect] = []

  /// The daemon reads a file one second after it was replaced. What is seen earlier may still concern the previous file.
  private static let leastTime = Duration.seconds(3)
  private static let isUnread = "stepperd has not read it"
  private static let askInterval = Duration.seconds(1)
  /// A configuration whose trial was interrupted is tried once more.
  private static let mostAttempts = 2
  /// How often a daemon that is there may fail to answer for a configuration: the configuration may be what ends it.
  private static let mostUnanswered = 5

  /// First puts the confirmed configuration in place. If none was ever sent, the current one stays as it is.
  package init(_ kept: KeptConfiguration, healthTime: Duration) {
    (self.kept, self.healthTime) = (kept, healthTime)
    guard kept.state != .none else { return }
    if kept.state == .trying {
      unwritten = kept
      unwritten?.state = .interrupted
    }
    (phase, isPuttingBack) = (.ending(nil), true)
    writeEnd()
  }

  /// Returns what to do at the start.
  package mutating func start() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  package var deadline: Instant? {
    switch phase {
    case .idle, .checking, .comparing: nil
    case .trying(_, _, let since, _): min(since + healthTime, nextAsk)
    case .ending: writing.at
    }
  }

  package mutating func handle(_ input: Input, at now: Instant) -> [Effect] {
    switch input {
    case .received(let message): received(message)
    case .checked(let problem): checked(problem)
    case .unchecked: if case .checking(let message) = phase { wait(message) }
    case .daemonThere: if isWaiting { beginNext() }
    case .health(let health): note(health, at: now)
    case .written: written()
    case .failed(let reason): failed(reason, at: now)
    case .time: break
    }
    advance(to: now)
    defer { effects = [] }
    return effects
  }

  private var current: SignedConfiguration? {
    switch phase {
    case .idle: nil
    case .checking(let message), .comparing(let message), .trying(let message, _, _, _): message
    case .ending(let message): message
    }
  }

  /// The state that is kept once everything is written.
  private var latest: KeptConfiguration { unwritten ?? kept }

  private mutating func received(_ message: SignedConfiguration) {
    // A repetition: retained messages arrive with each connection.
    guard message != current, message != next else { return }
    let digest = digest(of: Array(message.text.utf8))
    if message.version == latest.version, digest == latest.digest {
      let mayTryAgain = latest.state == .interrupted && latest.attempts < Self.mostAttempts
      // It must not replace a newer configuration.
      guard mayTryAgain, current == nil, next == nil else { return }
    } else {
      let newest = max(latest.version, current?.version ?? 0, next?.version ?? 0)
      guard message.version > newest else {
        effects.append(
          .ignore(message.version, "this board was sent version \(newest) already; give it a higher one"))
        return
      }
    }
    guard phase == .idle else {
      next = message
      return
    }
    unanswered = 0
    begin(message)
  }

  private mutating func begin(_ message: SignedConfiguration) {
    next = nil
    phase = .checking(message)
    effects.append(.check(file(of: message)))
  }

  /// Whether a configuration waits for the daemon.
  package var isWaiting: Bool { phase == .idle && next != nil }

  /// The daemon has said nothing about the configuration. The trial begins anew when the daemon is there, unless a newer one has arrived.
  private mutating func wait(_ message: SignedConfiguration) {
    unanswered += 1
    guard unanswered < Self.mostUnanswered else {
      return end(message, .refused, "stepperd did not answer \(unanswered) times when it was asked about it")
    }
    phase = .idle
    guard next == nil else { return beginNext() }
    next = message
  }

  private func file(of message: SignedConfiguration) -> String {
    let attempt = message.version == kept.version && kept.state != .trying ? kept.attempts + 1 : 1
    return message.file(attempt: attempt)
  }

  private mutating func checked(_ problem: String?) {
    guard case .checking(let message) = phase else { return }
    if let problem { return end(message, .refused, problem) }
    phase = .comparing(message)
    effects.append(.ask)
  }

  private mutating func note(_ health: Health?, at now: Instant) {
    switch phase {
    case .idle, .checking, .ending: return
    case .comparing(let message):
      guard let health else { return wait(message) }
      installed = file(of: message)
      var trying = result(message, .trying)
      trying.attempts += 1
      unwritten = trying
      phase = .trying(message, before: health, since: now, last: Self.isUnread)
      nextAsk = now + Self.askInterval
      effects += [.keep(trying), .install(installed)]
    case .trying(let message, let before, let since, _):
      let trouble = trouble(health, before)
      if trouble == nil, now >= since + Self.leastTime { return confirm(message) }
      phase = .trying(message, before: before, since: since, last: trouble ?? Self.isUnread)
    }
  }

  /// Why the board is not as well as before; nil: it is.
  private func trouble(_ health: Health?, _ before: Health) -> String? {
    guard let health else { return "stepperd does not answer" }
    if let new = health.problems.first(where: { !before.problems.contains($0) }) { return new }
    // The daemon's own problems may be the reason, for example that the other file has changed.
    if health.instance == before.instance {
      return ([Self.isUnread] + health.problems.prefix(1)).joined(separator: ": ")
    }
    if health.devices == 0, before.devices > 0 { return "no device is read any more" }
    return isOnline ? nil : "the board is not online"
  }

  private mutating func confirm(_ message: SignedConfiguration) {
    var confirmed = result(message, .confirmed)
    (confirmed.confirmedVersion, confirmed.confirmedText) = (message.version, installed)
    end(message, confirmed)
  }

  private mutating func advance(to now: Instant) {
    switch phase {
    case .idle, .checking, .comparing: break
    case .trying(let message, _, let since, let last):
      if since + healthTime <= now {
        return end(message, .rolledBack, "\(last), within \(healthTime.components.seconds) s")
      }
      guard nextAsk <= now else { return }
      nextAsk = now + Self.askInterval
      effects.append(.ask)
    case .ending: if writing.isDue(at: now) { writeEnd() }
    }
  }

  // MARK: The end

  private mutating func end(_ message: SignedConfiguration, _ state: KeptConfiguration.State, _ error: String)
  {
    // Put back even if it could not be put in use: the file may have been replaced nevertheless.
    if case .trying = phase { isPuttingBack = true }
    end(message, result(message, state, error))
  }

  private mutating func end(_ message: SignedConfiguration, _ result: KeptConfiguration) {
    (phase, unwritten) = (.ending(message), result)
    writeEnd()
  }

  private mutating func writeEnd() {
    writing.begin()
    if isPuttingBack { effects.append(.install(kept.confirmedText)) }
    if let unwritten { effects.append(.keep(unwritten)) }
  }

  private mutating func written() {
    if let unwritten {
      (kept, self.unwritten) = (unwritten, nil)
      effects.append(.report)
    }
    guard case .ending = phase else { return }
    (phase, isPuttingBack, unanswered) = (.idle, false, 0)
    writing.clear()
    beginNext()
  }

  private mutating func failed(_ reason: String, at now: Instant) {
    switch phase {
    case .idle, .checking, .comparing: break
    case .trying(let message, _, _, _): end(message, .refused, reason)
    case .ending: writing.failed(at: now)
    }
  }

  private mutating func beginNext() {
    if let next { begin(next) }
  }

  private func result(
    _ message: SignedConfiguration, _ state: KeptConfiguration.State, _ error: String = ""
  ) -> KeptConfiguration {
    var result = latest
    if result.version != message.version { result.attempts = 0 }
    (result.version, result.digest) = (message.version, digest(of: Array(message.text.utf8)))
    (result.state, result.error) = (state, String(error.prefix(512)))
    return result
  }
}
