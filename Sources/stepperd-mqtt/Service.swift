internal import Logging
internal import StepperCore
internal import StepperMosquitto
internal import StepperMQTT
internal import StepperProgram
internal import StepperSystem
internal import SystemPackage

/// The program as a service: a shell around one ``MQTTBridge``. One thread, but while it connects to the broker.
final class Service {
  private let plan: Plan
  private let logger: Logger
  private let notices: ServiceNotices
  private let loop: EventLoop
  private let signals: SignalBox
  private var bridge: MQTTBridge
  private var revisionFile: RevisionFile?
  private let statusFile = StatusFile()
  private var daemon: DaemonLink?
  private var broker: BrokerLink?
  private var inputs: [MQTTBridgeInput] = []
  private var daemonProblem: String? = "it was not asked yet"
  private var brokerProblem: String?
  private var shownStatus = ""
  private var refusals = RefusalLog()
  private var isStopping = false
  private var nextWatchdog: Instant?

  /// A source that cannot be copied, in an object.
  private final class SignalBox {
    let source: SignalSource
    init() throws(Errno) { source = try SignalSource() }
  }

  init(_ plan: Plan, address: String?, _ logger: Logger, _ notices: ServiceNotices) throws {
    (self.plan, self.logger, self.notices) = (plan, logger, notices)
    signals = try SignalBox()
    loop = try EventLoop()
    var revisions: [String: String] = [:]
    if plan.bridge.hasTargets {
      var file = try RevisionFile()
      revisions = try file.read()
      revisionFile = file
    }
    bridge = MQTTBridge(plan.bridge, seed: .random(in: 0...UInt64.max), revisions: revisions)
    let deliver: (MQTTBridgeInput) -> Void = { [weak self] in self?.inputs.append($0) }
    broker = try BrokerLink(on: loop, plan.broker, deliver: deliver)
    daemon = DaemonLink(on: loop, address: address, match: plan.match, deliver: deliver) { [weak self] in
      self?.noteDaemon($0)
    }
    try loop.watch(signals.source.rawDescriptor, priority: .system) { [weak self] _, _ in self?.signalled() }
  }

  /// Runs until a signal comes.
  func run() throws {
    inputs.append(.start)
    notices.send(.ready(status: status))
    logger.info("bridge \(plan.bridge.id) to \(plan.broker.url)")
    try loop.run { [self] now in
      daemon?.advance(to: now)
      broker?.advance(to: now)
      work(at: now)
      showStatus()
      return deadline(at: now)
    }
  }

  /// Everything that has happened, and what follows from it.
  private func work(at now: Instant) {
    if let due = bridge.deadline, due <= now { inputs.append(.time) }
    while !inputs.isEmpty {
      let input = inputs.removeFirst()
      for effect in bridge.handle(input, at: now) { perform(effect, at: now) }
      broker?.advance(to: now)
    }
  }

  private func perform(_ effect: MQTTBridgeEffect, at now: Instant) {
    switch effect {
    case .call(let number, let call): daemon?.call(number, call, at: now)
    case .keepRevisions(let revisions): keep(revisions)
    case .report(let report): log(report)
    case .stopped: loop.stop()
    case .connect, .disconnect, .subscribe, .publish: broker?.perform(effect)
    }
  }

  private func deadline(at now: Instant) -> Instant? {
    if let interval = notices.notifier.watchdogInterval, nextWatchdog ?? now <= now {
      notices.send(.watchdog)
      nextWatchdog = now + interval / 2
    }
    return [bridge.deadline, daemon?.deadline, broker?.deadline, nextWatchdog].compactMap(\.self).min()
  }

  private func signalled() {
    while signals.source.nextNumber() != nil {
      guard !isStopping else { continue }
      isStopping = true
      notices.send(.stopping)
      inputs.append(.stop)
    }
  }

  private func keep(_ revisions: [String: String]) {
    do {
      try revisionFile?.write(revisions)
    } catch {
      logger.error("the revision of a target could not be kept, so that it may be applied again: \(error)")
    }
  }

  // MARK: What people see

  private func noteDaemon(_ problem: String?) {
    guard problem != daemonProblem else { return }
    daemonProblem = problem
    if let problem {
      logger.warning("stepperd is not there, trying again: \(problem)")
    } else {
      logger.info("stepperd is there")
    }
  }

  private func log(_ report: MQTTBridgeReport) {
    switch report {
    case .online:
      brokerProblem = nil
      logger.info("online at \(plan.broker.url)")
    case .brokerLost(let reason, let pause):
      brokerProblem = reason
      logger.warning(
        "\(plan.broker.url) \(reason); trying again, the next time within \(pause.components.seconds) s")
    case .refused(let topic, let failure):
      if let line = refusals.line(topic, failure.message, at: loop.now) { logger.notice("\(line)") }
    case .refusedFilters, .silentBroker, .retainedCommand, .tooManyCommands, .reservedNames:
      logger.warning("\(report.text)")
    }
  }

  private var status: String {
    let place = "\(plan.broker.url) as \(plan.bridge.id)"
    if let brokerProblem { return "offline: \(plan.broker.url) \(brokerProblem)" }
    if bridge.isOnline { return "online at \(place)" }
    if let daemonProblem { return "offline at \(place): stepperd is not there: \(daemonProblem)" }
    return "connecting to \(place)"
  }

  private func showStatus() {
    let status = status
    guard status != shownStatus else { return }
    shownStatus = status
    statusFile.write(status)
    notices.send(.status(status))
  }
}

/// Refused commands in the log: a line for each change of a topic's reason, and few in all, for others write them.
struct RefusalLog {
  private static let topicLimit = 64
  private static let window = Duration.seconds(10)
  private static let linesInWindow = 10

  private var last: [String: String] = [:]
  private var start = Instant.distantPast
  private var count = 0

  /// nil: nothing is to be logged.
  mutating func line(_ topic: String, _ reason: String, at now: Instant) -> String? {
    guard last[topic] != reason else { return nil }
    if last.count >= Self.topicLimit { last = [:] }
    last[topic] = reason
    if now - start >= Self.window { (start, count) = (now, 0) }
    count += 1
    guard count <= Self.linesInWindow else { return nil }
    let rest = count == Self.linesInWindow ? " (more of the next 10 s are not logged)" : ""
    return "\(onOneLine(topic)): \(onOneLine(reason))\(rest)"
  }

  private func onOneLine(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.prefix(300).map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}

extension MQTTBridgeReport {
  fileprivate var text: String {
    switch self {
    case .refusedFilters(let filters):
      "the broker refuses to pass on \(filters.joined(separator: ", ")); allow this user to read them"
    case .silentBroker(let topic):
      "the broker does not pass on \(topic), which was published and subscribed to; allow this user to read and write it"
    case .retainedCommand(let topic):
      "\(topic) is ignored, because it is retained: publish it without the retain flag, and clear it with an empty retained message"
    case .tooManyCommands:
      "commands come faster than 50 a second; of sets the latest is done, others are dropped"
    case .reservedNames(let names):
      "\(names.joined(separator: ", ")) cannot be published: these topics are the board's own; rename the control"
    case .online, .brokerLost, .refused: ""
    }
  }
}
