internal import Logging
internal import StepperCore
internal import StepperLinux
internal import StepperMQTT
internal import StepperProgram
internal import SystemPackage

/// The program as a service: a shell around one ``MQTTBridge``. One thread, but while it connects to the broker.
final class MQTTService {
  private let plan: Plan
  private let logger: Logger
  private let service: ServiceLoop
  private var bridge: MQTTBridge
  private var revisionFile: RevisionFile?
  private let statusFile = StatusFile()
  private var daemon: DaemonChannels?
  private var broker: BrokerLink?
  private let inputs = BridgeInputs()
  private var daemonProblem: String? = "it was not asked yet"
  private var brokerProblem: String?
  private var networkLog = NetworkLog()
  /// Whether the revisions could not be written the last time.
  private var hasFailedToKeep = false

  init(_ plan: Plan, address: String?, _ logger: Logger, _ notices: ServiceNotices) throws {
    (self.plan, self.logger) = (plan, logger)
    service = try ServiceLoop(notices)
    let loop = service.loop
    var revisions: [String: String] = [:]
    if plan.bridge.hasTargets {
      var file = try RevisionFile()
      revisions = try file.read()
      revisionFile = file
    }
    bridge = MQTTBridge(plan.bridge, seed: .random(in: 0...UInt64.max), revisions: revisions)
    let deliver: (MQTTBridgeInput) -> Void = { [inputs] in inputs.append($0) }
    broker = try BrokerLink(on: loop, plan.broker, deliver: deliver)
    daemon = DaemonChannels(on: loop, address: address, match: plan.match, deliver: deliver) { [weak self] in
      self?.noteDaemon($0)
    }
  }

  /// Runs until a signal comes.
  func run() throws {
    inputs.append(.start)
    logger.info("bridge \(plan.bridge.id) to \(plan.broker.url)")
    try service.run(status: status, stop: { [inputs] _ in inputs.append(.stop) }) { [self] now in
      daemon?.advance(to: now)
      broker?.advance(to: now)
      work(at: now)
      let status = status
      if service.show(status) { statusFile.write(status) }
      return [bridge.deadline, daemon?.deadline, broker?.deadline].compactMap(\.self).min()
    }
  }

  /// Everything that has happened, and what follows from it.
  private func work(at now: Instant) {
    if let due = bridge.deadline, due <= now { inputs.append(.time) }
    inputs.drain(broker, at: now) { input in
      for effect in bridge.handle(input, at: now) { perform(effect) }
    }
  }

  private func perform(_ effect: MQTTBridgeEffect) {
    switch effect {
    case .call(let number, let call): daemon?.call(number, call)
    case .keepRevisions(let revisions): keep(revisions)
    case .report(let report): log(report)
    case .stopped: service.loop.stop()
    case .connect, .disconnect, .subscribe, .publish: broker?.perform(effect)
    }
  }

  private func keep(_ revisions: [String: String]) {
    do {
      try revisionFile?.write(revisions)
      hasFailedToKeep = false
    } catch  where hasFailedToKeep {
      // That was logged.
    } catch {
      hasFailedToKeep = true
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
      if let line = networkLog.line(topic, failure.message, at: service.loop.now) { logger.notice("\(line)") }
    case .retainedCommand(let topic):
      if let line = networkLog.line(topic, report.text, at: service.loop.now) { logger.warning("\(line)") }
    case .refusedFilters, .silentBroker, .tooManyCommands, .reservedNames:
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
}

extension MQTTBridgeReport {
  fileprivate var text: String {
    switch self {
    case .refusedFilters(let filters):
      "the broker refuses to pass on \(filters.joined(separator: ", ")); allow this user to read them"
    case .silentBroker(let topic):
      "the broker does not pass on \(topic), which was published and subscribed to; allow this user to read and write it"
    case .retainedCommand:
      "ignored, because it is retained: publish it without the retain flag, and clear it with an empty retained message"
    case .tooManyCommands(let count):
      "commands come faster than 50 a second: \(count) dropped; of each control the newest set, reset and target is done"
    case .reservedNames(let names):
      "\(names.joined(separator: ", ")) cannot be published: these topics are the board's own; rename the control"
    case .online, .brokerLost, .refused: ""
    }
  }
}
