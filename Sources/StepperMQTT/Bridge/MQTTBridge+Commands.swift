import StepperCore
import StepperInterfaces

/// What the network asks for.
extension MQTTBridge {
  mutating func received(_ message: MQTTMessage, at now: Instant) {
    switch topics.meaning(of: message.topic) {
    case nil: return
    case .status: receivedStatus(message, at: now)
    case .birth: receivedBirth(message, at: now)
    case .discovery: receivedDiscovery(message)
    case .info: receivedInfo(message)
    case .command(let control, .target): receivedTarget(message, control, at: now)
    case .command(let control, let verb): receivedCommand(message, control, verb, at: now)
    case .groupSet(let control):
      // A group has boards without that control.
      if index(of: control) != nil { receivedCommand(message, control, .set, at: now) }
    }
  }

  private mutating func receivedCommand(
    _ message: MQTTMessage, _ control: String, _ verb: Topics.Verb, at now: Instant
  ) {
    if message.isRetained {
      if retainedCommands.count < MQTTLimit.retainedCommands, retainedCommands.insert(message.topic).inserted
      {
        effects.append(.report(.retainedCommand(topic: message.topic)))
      }
      return
    }
    if message.payload.isEmpty {
      // A retained message is cleared by an empty one.
      let isClearing = retainedCommands.remove(message.topic) != nil
      guard verb == .reset, !isClearing else { return }
    }
    do throws(MQTTCallFailure) {
      let command =
        switch verb {
        case .set: try CommandPayload.set(message.payload, of: control)
        case .step: try CommandPayload.step(message.payload, of: control)
        case .reset, .target: try CommandPayload.reset(message.payload, of: control)
        }
      take(command, verb, message.topic, control, at: now)
    } catch {
      guard mayDo(at: now) else { return }
      refuse(message.topic, control, nil, error)
    }
  }

  private mutating func take(
    _ command: Command, _ verb: Topics.Verb, _ topic: String, _ control: String, at now: Instant
  ) {
    guard index(of: control) != nil else {
      guard mayDo(at: now), isDaemonThere else { return }
      let message = "there is no control '\(CommandPayload.excerpt(control))'"
      effects.append(
        .report(.refused(topic: topic, MQTTCallFailure(code: "noSuchControl", message: message))))
      return
    }
    guard isDaemonThere else { return refuse(topic, control, command.id, .daemonAway) }
    if let expected = command.instance, expected != instance {
      let message = "the daemon has restarted or read its configuration again since that sequence number"
      return refuse(topic, control, command.id, MQTTCallFailure(code: "changed", message: message))
    }
    // A newer value takes the place of one that waits.
    let isReplacing = verb == .set && waitingSets[control] != nil
    guard !isReplacing, calls.count < MQTTLimit.calls, mayDo(at: now) else {
      return wait(command, verb, topic, control)
    }
    call(command.call, PendingCall(control: control, topic: topic, id: command.id))
  }

  /// Whether another command may be done now.
  private mutating func mayDo(at now: Instant) -> Bool {
    let isAllowed = commandAllowance.take(
      perSecond: MQTTLimit.commandsPerSecond, burst: MQTTLimit.commandBurst, at: now.nanoseconds)
    if !isAllowed {
      // Others determine how often: it is told again when there was none for a minute.
      if now >= nextRateReport { effects.append(.report(.tooManyCommands)) }
      nextRateReport = now + MQTTLimit.rateReportInterval
    }
    return isAllowed
  }

  private static let tooMany = MQTTCallFailure(
    code: "tooManyCommands", message: "commands come faster than 50 a second; this one was dropped")

  private mutating func wait(_ command: Command, _ verb: Topics.Verb, _ topic: String, _ control: String) {
    guard verb == .set else { return drop(control, command.id) }
    let former = waitingSets.updateValue(WaitingCommand(command: command, topic: topic), forKey: control)
    if let former { drop(control, former.command.id) }
  }

  /// Answers a command that has a name; of others nobody waits for an answer.
  private mutating func drop(_ control: String, _ id: CommandID?) {
    if id != nil { answer(control, id, Self.tooMany, state: nil) }
  }

  mutating func makeWaitingSets(at now: Instant) {
    for (control, waiting) in waitingSets.sorted(by: { $0.key < $1.key }) {
      guard calls.count < MQTTLimit.calls, mayDo(at: now) else { return }
      waitingSets[control] = nil
      call(
        waiting.command.call, PendingCall(control: control, topic: waiting.topic, id: waiting.command.id))
    }
  }

  private mutating func call(_ call: MQTTBridgeCall, _ pending: PendingCall) {
    lastCall &+= 1
    calls[lastCall] = pending
    effects.append(.call(lastCall, call))
  }

  mutating func answered(
    _ number: UInt32, _ result: Result<ControlInterface.State, MQTTCallFailure>, at now: Instant
  ) {
    guard let call = calls.removeValue(forKey: number) else { return }
    switch result {
    case .success(let state):
      applied(call)
      if call.id != nil { answer(call.control, call.id, nil, state: PublishedControl(state)) }
    case .failure(let failure):
      if call.revision != nil, failure.isAbsence { return keepTarget(call) }
      applied(call)
      refuse(call.topic, call.control, call.id, failure)
    }
  }

  mutating func refuse(_ topic: String, _ control: String, _ id: CommandID?, _ failure: MQTTCallFailure) {
    effects.append(.report(.refused(topic: topic, failure)))
    guard let index = index(of: control) else { return }
    answer(control, id, failure, state: controls[index])
  }

  private mutating func answer(
    _ control: String, _ id: CommandID?, _ failure: MQTTCallFailure?, state: PublishedControl?
  ) {
    guard isOpen else { return }
    if results.count >= MQTTLimit.results { results.removeFirst() }
    results.append(MQTTMessage(topics.result(control), statePayload.result(id, failure, state)))
  }

  // MARK: Targets

  private mutating func receivedTarget(_ message: MQTTMessage, _ control: String, at now: Instant) {
    guard settings.hasTargets else { return }
    guard !message.payload.isEmpty else {
      waitingTargets[control] = nil
      return
    }
    let isKnown = index(of: control) != nil || !hasControls || waitingTargets[control] != nil
    guard isKnown, waitingTargets.count < 256 || waitingTargets[control] != nil,
      message.payload.count <= MQTTLimit.commandBytes
    else { return }
    waitingTargets[control] = message.payload
  }

  /// Those whose revision was not applied yet, each once.
  mutating func applyWaitingTargets(at now: Instant) {
    for (control, payload) in waitingTargets.sorted(by: { $0.key < $1.key }) {
      guard calls.count < MQTTLimit.calls else { return }
      waitingTargets[control] = nil
      guard index(of: control) != nil else { continue }
      let topic = topics.command(control, .target)
      do throws(MQTTCallFailure) {
        let (command, revision) = try CommandPayload.target(payload, of: control)
        guard revisions[control] != revision else { continue }
        let isPending = calls.values.contains { $0.control == control && $0.revision == revision }
        guard !isPending else { continue }
        call(
          command.call,
          PendingCall(control: control, topic: topic, id: command.id, revision: revision, target: payload))
      } catch {
        refuse(topic, control, nil, error)
      }
    }
  }

  /// It is tried again when the daemon is there, unless a newer one has come.
  mutating func keepTarget(_ call: PendingCall) {
    if waitingTargets[call.control] == nil { waitingTargets[call.control] = call.target }
  }

  private mutating func applied(_ call: PendingCall) {
    guard let revision = call.revision else { return }
    revisions[call.control] = revision
    effects.append(.keepRevisions(revisions))
  }
}
