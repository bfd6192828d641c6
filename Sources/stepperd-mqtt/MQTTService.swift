internal import Logging
internal import StepperConfiguration
internal import StepperCore
internal import StepperInterfaces
internal import StepperLinux
internal import StepperMQTT
internal import StepperProgram
internal import SystemPackage

/// The program as a service: a shell around one ``MQTTBridge``. One thread, but while it connects to the broker.
final class MQTTService {
  private(set) var plan: Plan
  private let makePlan: () throws -> Plan
  /// When the configuration and the files that it names are read again.
  private var reloadDue: Instant?
  private var reloadProblem: String?
  private var watches: [FileWatch] = []
  /// Of the daemon's controls: another one after it has read its configuration.
  private var instance: String?
  /// The plan that needs another connection; nil: none does.
  private var next: Plan?
  private var isStopping = false
  private let logger: Logger
  private let service: ServiceLoop
  private var bridge: MQTTBridge
  private var revisionFile: SavedTexts?
  /// nil: nobody may send a configuration.
  private var delivery: ConfigurationDelivery?
  private var answers: [ConfigurationTrial.Input] = []
  private let statusFile = StatusFile<MQTTFigures>(.mqtt)
  private var onlineSince: Int64?
  private var daemon: DaemonChannels?
  private var broker: BrokerLink?
  private let inputs = BridgeInputs()
  /// What the bridge knows of the clock.
  private var realtimeOffset: Int64 = 0
  private var daemonProblem: String? = "it was not asked yet"
  private var networkLog = NetworkLog()
  /// Why the revisions could not be written the last time.
  private var keepingProblem: String?

  /// A file that changes is read when nothing has changed for so long: a certificate and its key are two files.
  private static let reloadPause = Duration.seconds(1)

  /// Of the clock, in microseconds.
  private static let clockTolerance: UInt64 = 100_000

  /// `makePlan` is called after changes, and once at the start, for `plan` may be older than the watches of its files.
  init(
    _ plan: Plan, again makePlan: @escaping () throws -> Plan, _ source: ConfigurationSource,
    address: String?, _ logger: Logger, _ notices: ServiceNotices
  ) throws {
    (self.plan, self.makePlan, self.logger) = (plan, makePlan, logger)
    service = try ServiceLoop(notices)
    let loop = service.loop
    var revisions: [String: String] = [:]
    if plan.bridge.hasTargets {
      var file = try SavedTexts("targets.json", of: .mqtt)
      revisions = try file.read()
      revisionFile = file
    }
    bridge = MQTTBridge(plan.bridge, seed: .random(in: 0...UInt64.max), revisions: revisions)
    let deliver: (MQTTBridgeInput) -> Void = { [weak self] in self?.take($0) }
    broker = try BrokerLink(on: loop, plan.broker, deliver: deliver)
    daemon = DaemonChannels(
      on: loop, address: address, match: plan.match, deliver: deliver,
      note: { [weak self] in self?.noteDaemon($0) }, tell: { [weak self] in self?.answers.append($0) })
    if plan.bridge.configurationKey != nil, let file = plan.includedFile {
      delivery = ConfigurationDelivery(
        into: file, source, healthTime: plan.configHealthTime, logger, at: loop.now,
        daemon: { [weak self] in self?.daemon },
        ignore: { [weak self] in self?.log(.notice, "config/set", $0) },
        publish: { [inputs] in inputs.append(.configurationState($0)) },
        answer: { [weak self] in self?.answers.append($0) })
    }
    for file in plan.files.keys {
      // Where the system watches no more files, it is read again after a loss of the connection.
      if let watch = try? FileWatch(on: loop, file, changed: { [weak self] in self?.reload(after: $0) }) {
        watches.append(watch)
      }
    }
  }

  /// Runs until a signal comes, or until the plan is another one that needs another connection, which it returns.
  func run() throws -> Plan? {
    inputs.append(.start)
    reloadDue = service.loop.now
    logger.info("bridge \(plan.bridge.id) to \(plan.broker.url)")
    try service.run(
      status: status, stop: { [weak self] _ in self?.stop(for: nil) },
      reload: { [weak self] in self?.reloadDue = $0 }
    ) { [self] now in
      daemon?.advance(to: now)
      broker?.advance(to: now)
      if let due = reloadDue, due <= now { reload() }
      takeAnswers(at: now)
      delivery?.advance(to: now)
      work(at: now)
      let status = status
      _ = service.show(status)
      let fileDue = statusFile.update(status, at: now) { figures(at: now) }
      return [
        bridge.deadline, daemon?.deadline, broker?.deadline, reloadDue, fileDue, delivery?.deadline,
        answers.isEmpty ? nil : now,
      ].compactMap(\.self).min()
    }
    // The next connection has the same folder.
    delivery?.close()
    revisionFile?.close()
    return next
  }

  private func take(_ input: MQTTBridgeInput) {
    noteClock()
    switch input {
    case .replied(let reply, _):
      if let instance, instance != reply.instance { reloadDue = service.loop.now }
      instance = reply.instance
      if delivery?.isWaiting == true { answers.append(.daemonThere) }
    // Before the next attempt, what it would fail with again.
    case .brokerLost: reloadDue = service.loop.now
    default: break
    }
    inputs.append(input)
  }

  /// The next calls are not made while the connection hands over its answers.
  private func takeAnswers(at now: Instant) {
    let answers = answers
    self.answers = []
    for answer in answers { delivery?.handle(answer, isOnline: bridge.isOnline, at: now) }
  }

  /// A signal to stop counts also when it comes while a change ends this connection, and not the other way round.
  private func stop(for next: Plan?) {
    if next == nil || !isStopping { self.next = next }
    isStopping = true
    inputs.append(.stop)
  }

  // MARK: Changes

  private func reload(after now: Instant) { reloadDue = now + Self.reloadPause }

  private func reload() {
    reloadDue = nil
    guard !isStopping else { return }
    do {
      let new = try makePlan()
      reloadProblem = nil
      guard new.hasSameConnection(as: plan) else {
        logger.info("the configuration or a file that it names has changed: connecting anew")
        return stop(for: new)
      }
      plan.bridge = new.bridge
      inputs.append(.configured(new.bridge))
    } catch {
      let problem = "\(error)"
      guard problem != reloadProblem else { return }
      reloadProblem = problem
      logger.error("the former configuration stays, because the new one cannot be used: \(problem)")
    }
  }

  /// Everything that has happened, and what follows from it.
  private func work(at now: Instant) {
    if let due = bridge.deadline, due <= now { inputs.append(.time) }
    inputs.drain(broker, at: now) { input in
      for effect in bridge.handle(input, at: now) { perform(effect) }
    }
  }

  /// The clock may be set at any time, on boards without a battery after each start.
  private func noteClock() {
    let offset = realtimeOffsetMicroseconds()
    guard (offset - realtimeOffset).magnitude > Self.clockTolerance else { return }
    realtimeOffset = offset
    inputs.append(.clock(realtimeOffset: offset))
  }

  private func perform(_ effect: MQTTBridgeEffect) {
    switch effect {
    case .call(let number, let call): daemon?.call(number, call)
    case .provide(let index, let call): daemon?.provide(index, call)
    case .keepRevisions(let revisions): keep(revisions)
    case .configure(let configuration):
      delivery?.handle(.received(configuration), isOnline: bridge.isOnline, at: service.loop.now)
    case .report(let report): log(report)
    case .stopped: service.loop.stop()
    case .connect, .disconnect, .subscribe, .publish: broker?.perform(effect)
    }
  }

  private func keep(_ revisions: [String: String]) {
    do {
      try revisionFile?.write(revisions)
      keepingProblem = nil
    } catch {
      let problem = "the revision of a target could not be kept, so that it may be applied again: \(error)"
      if keepingProblem == nil { logger.error("\(problem)") }
      keepingProblem = problem
      inputs.append(.revisionsUnkept)
    }
  }

  // MARK: What people see

  private func figures(at now: Instant) -> MQTTFigures {
    if !bridge.isOnline { onlineSince = nil }
    if bridge.isOnline, onlineSince == nil { onlineSince = realtimeSeconds(at: now) }
    var counts = bridge.counts
    counts.refusedConfigurations += delivery?.ignoredCount ?? 0
    return MQTTFigures(
      id: plan.bridge.id, onlineSince: onlineSince, hasProblem: problem != nil || !bridge.isOnline,
      isTakenOver: isTakenOver, isClockWrong: bridge.clockProblem != nil, waiting: bridge.waitingCount,
      counts: counts, certificateEnd: plan.certificateEnd?.time.seconds,
      isCertificateOld: certificateProblem != nil,
      configuration: delivery?.kept.confirmedVersion)
  }

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
      if !isTakenOver { logger.info("online at \(plan.broker.url)") }
    case .brokerLost(let reason, let pause):
      // That was logged once, and would be for every attempt of the other.
      guard !isTakenOver else { break }
      logger.warning(
        "\(plan.broker.url) \(reason); trying again, the next time within \(pause.components.seconds) s")
    case .refused(let topic, let failure):
      log(.notice, topic, failure.message)
    case .retainedCommand(let topic): log(.warning, topic, report.text)
    case .refusedConfiguration(let reason):
      log(.notice, "config/set", "a configuration was refused: \(reason)")
    case .clock: log(.warning, "clock", report.text)
    case .takenOver: logger.error("\(takeoverText)")
    case .refusedFilters, .silentBroker, .refusedPublication, .tooManyCommands, .reservedNames,
      .remoteRefused:
      logger.warning("\(report.text)")
    }
  }

  /// What the network causes.
  private func log(_ level: Logger.Level, _ topic: String, _ reason: String) {
    guard let line = networkLog.line(topic, reason, at: service.loop.now) else { return }
    logger.log(level: level, "\(line)")
  }

  private var isTakenOver: Bool { bridge.isTakenOver(at: service.loop.now) }

  private var takeoverText: String {
    let remedy =
      plan.isIDDerived
      ? "boards of one image have the same \(BoardID.machineFile), from which the id is made: give each its own, or an id in [mqtt], see guides/fleet.md"
      : "give one of the two another id in [mqtt], and end a second stepperd-mqtt of this configuration"
    return "another client has the id \(plan.bridge.id), and each ends the connection of the other; \(remedy)"
  }

  /// While there is a connection.
  private var problem: String? {
    if isTakenOver { return takeoverText }
    if let report = bridge.brokerProblem { return report.text }
    if let daemonProblem { return "stepperd is not there: \(daemonProblem)" }
    return keepingProblem ?? delivery?.problem ?? bridge.clockProblem.map { MQTTBridgeReport.clock($0).text }
      ?? bridge.remoteProblem?.text ?? certificateProblem
  }

  private var certificateProblem: String? {
    plan.certificateProblem(at: realtimeSeconds(at: service.loop.now))
  }

  private var status: String {
    let place = "\(plan.broker.url) as \(plan.bridge.id)"
    if let loss = bridge.loss, !isTakenOver { return "offline: \(plan.broker.url) \(loss)" }
    let state = bridge.isOnline ? "online" : "offline"
    if let problem { return "\(state) at \(place): \(problem)" }
    if bridge.isOnline { return "online at \(place)" }
    return "connecting to \(place)"
  }
}
