internal import Logging
internal import StepperConfiguration
internal import StepperCore
internal import StepperInterfaces
internal import StepperLinux
internal import StepperMQTT
internal import StepperProgram
internal import SystemPackage

/// The program as a service: a shell around one ``MQTTBridge``. It has one thread, except while it connects to the broker.
final class MQTTService {
  private(set) var plan: Plan
  private let makePlan: () throws -> Plan
  private var reloadTime = ReloadTime()
  private var reloadProblem = StandingProblem()
  private var watch: FileWatch?
  /// The instance of the daemon's controls. It changes when the daemon has read its configuration.
  private var instance: String?
  /// The plan for which a new connection is needed; nil: none is needed.
  private var next: Plan?
  private var isStopping = false
  /// Whether the bridge has stopped.
  private var hasStopped = false
  private let logger: Logger
  private let service: ServiceLoop
  private var bridge: MQTTBridge
  private var revisionFile: SavedTexts?
  /// nil: nobody may send a configuration.
  private var delivery: ConfigurationDelivery?
  private var answers: [ConfigurationTrial.Input] = []
  private let statusFile = StatusFile(.mqtt)
  private var onlineSince: Int64?
  private var daemon: DaemonChannels?
  private var broker: BrokerLink?
  private let inputs = BridgeInputs()
  /// The clock offset that the bridge knows.
  private var realtimeOffset: Int64 = 0
  private var daemonProblem = StandingProblem("it was not asked yet")
  private var networkLog = NetworkLog()
  /// Why the last write of the revisions failed.
  private var keepingProblem = StandingProblem()

  /// The changes of the clock that are ignored, in microseconds.
  private static let clockTolerance: UInt64 = 100_000

  /// `makePlan` is called after changes, and once at the start, because `plan` may be older than the watches of its files.
  init(
    _ plan: Plan, again makePlan: @escaping () throws -> Plan, _ source: ConfigurationSource,
    address: String?, doneCommands: DoneCommands, _ logger: Logger, _ notices: ServiceNotices
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
    bridge = MQTTBridge(
      plan.bridge, seed: .random(in: 0...UInt64.max), revisions: revisions, doneCommands: doneCommands)
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
    // If the loop cannot watch the files, they are read again after the connection was lost.
    watch = try? FileWatch(plan.files.keys.sorted(), on: loop) { [weak self] in self?.reload(after: $0) }
    for (file, error) in watch?.refusals ?? [] {
      logger.info("\(file) cannot be watched and is checked once a minute: \(error)")
    }
  }

  /// Runs until a signal arrives, or until a changed plan needs a new connection. Returns that plan.
  func run() throws -> Plan? {
    inputs.append(.start)
    reloadTime.due = service.loop.now
    logger.info("bridge \(plan.bridge.id) to \(plan.broker.url)")
    try service.run(
      status: status, stop: { [weak self] _ in self?.stop(for: nil) },
      reload: { [weak self] in self?.reloadTime.due = $0 }
    ) { [self] now in
      daemon?.advance(to: now)
      broker?.advance(to: now)
      if let due = reloadTime.due, due <= now { reload() }
      takeAnswers(at: now)
      delivery?.advance(to: now)
      work(at: now)
      let status = status
      service.show(status)
      let fileDue = statusFile.update(status, at: now) { figures(at: now).metrics }
      return [
        bridge.deadline, daemon?.deadline, broker?.deadline, reloadTime.due, fileDue, delivery?.deadline,
        answers.isEmpty ? nil : now,
      ].compactMap(\.self).min()
    }
    // The next connection uses the same folder.
    delivery?.close()
    revisionFile?.close()
    return next
  }

  /// The commands that need not be done again when they are repeated.
  var doneCommands: DoneCommands { bridge.doneCommands }

  private func take(_ input: MQTTBridgeInput) {
    noteClock()
    switch input {
    case .replied(let reply, _):
      if let instance, instance != reply.instance { reloadTime.due = service.loop.now }
      instance = reply.instance
      if delivery?.isWaiting == true { answers.append(.daemonThere) }
    // Reads the files again before the next attempt, which might otherwise fail for the same reason.
    case .brokerLost: reloadTime.due = service.loop.now
    default: break
    }
    inputs.append(input)
  }

  /// Handles the answers here, because no calls may be made while the connection delivers them.
  private func takeAnswers(at now: Instant) {
    let answers = answers
    self.answers = []
    for answer in answers { delivery?.handle(answer, isOnline: bridge.isOnline, at: now) }
  }

  /// A signal to stop takes precedence over a change that ends this connection, in whichever order they come.
  private func stop(for next: Plan?) {
    if next == nil || !isStopping { self.next = next }
    isStopping = true
    inputs.append(.stop)
  }

  // MARK: Changes

  private func reload(after now: Instant) {
    watch?.begin()
    reloadTime.changed(at: now)
  }

  private func reload() {
    reloadTime.due = nil
    guard !isStopping else { return }
    watch?.begin()
    if watch?.refusals.isEmpty == false { reloadTime.due = service.loop.now + FileWatch.pauseAfterRefusal }
    do {
      let new = try makePlan()
      reloadProblem.change(to: nil)
      guard new.hasSameConnection(as: plan) else {
        logger.info("the configuration or a file that it names has changed: connecting anew")
        return stop(for: new)
      }
      plan.bridge = new.bridge
      inputs.append(.configured(new.bridge))
    } catch {
      guard reloadProblem.change(to: "\(error)") != nil else { return }
      logger.error("the former configuration stays, because the new one cannot be used: \(error)")
    }
  }

  /// Handles all events, and those that result from them.
  private func work(at now: Instant) {
    noteClock()
    if let due = bridge.deadline, due <= now { inputs.append(.time) }
    inputs.drain(broker, at: now) { input in
      for effect in bridge.handle(input, at: now) { perform(effect) }
    }
    // An attempt to connect would take the next connection from the broker, which has the same client ID.
    if hasStopped, next == nil || broker?.isConnecting != true { service.loop.stop() }
  }

  /// Notes changes of the clock. It may be set at any time; on boards without a battery this happens after each start.
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
    case .stopped: hasStopped = true
    case .connect, .disconnect, .subscribe, .publish: broker?.perform(effect)
    }
  }

  private func keep(_ revisions: [String: String]) {
    do {
      try revisionFile?.write(revisions)
      keepingProblem.change(to: nil)
    } catch {
      let problem = "the revision of a target could not be kept, so that it may be applied again: \(error)"
      if keepingProblem.change(to: problem) == .begun { logger.error("\(problem)") }
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
    guard daemonProblem.change(to: problem) != nil else { return }
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
      // The takeover was logged once. Otherwise each attempt of the other client would be logged as well.
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
    case .refusedFilters, .silentBroker, .unretained, .refusedPublication, .tooManyCommands, .reservedNames,
      .remoteRefused:
      logger.warning("\(report.text)")
    }
  }

  /// Logs an event caused by the network.
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

  /// A problem that exists although there is a connection.
  private var problem: String? {
    if isTakenOver { return takeoverText }
    if let report = bridge.brokerProblem { return report.text }
    if let daemonProblem = daemonProblem.text { return "stepperd is not there: \(daemonProblem)" }
    return keepingProblem.text ?? delivery?.problem ?? bridge.clockProblem.map {
      MQTTBridgeReport.clock($0).text
    }
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
