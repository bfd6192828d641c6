import StepperCore
import StepperInterfaces

/// Commands from the network.
extension MQTTBridge {
  mutating func received(_ message: MQTTMessage, at now: Instant) {
    if receivedOfRemote(message, at: now) { return }
    switch topics.meaning(of: message.topic) {
    case nil: return
    case .status: receivedStatus(message, at: now)
    case .birth: receivedBirth(message, at: now)
    case .discovery: receivedDiscovery(message, at: now)
    case .info: receivedInfo(message, at: now)
    case .value(let control, let isText): receivedValue(message, of: control, isText: isText, at: now)
    case .configuration: receivedConfiguration(message, at: now)
    case .configurationSet: receivedConfigurationSet(message, at: now)
    case .command(let control, let verb): received(message, control, verb, at: now)
    case .groupSet(let control):
      // A group may contain boards that do not have this control.
      if index(of: control) != nil { received(message, control, .set, at: now) }
    }
  }

  private mutating func received(
    _ message: MQTTMessage, _ control: String, _ verb: Topics.Verb, at now: Instant
  ) {
    guard !isClosing, control.utf8.count <= MQTTLimit.nameBytes else { return }
    let command = ReceivedCommand(
      control: control, verb: verb, topic: message.topic, payload: message.payload,
      isRetained: message.isRetained)
    if verb == .target { return receivedTarget(command, at: now) }
    if message.payload.isEmpty {
      // A retained message is cleared by an empty one, which MQTT 3.1.1 delivers as a message that is not retained.
      let isClearing = retainedCommands.remove(message.topic) != nil || message.isRetained
      guard verb == .reset, !isClearing else { return }
    } else if message.isRetained {
      return noteRetained(message.topic, at: now)
    }
    take(command, at: now)
  }

  private mutating func noteRetained(_ topic: String, at now: Instant) {
    guard retainedCommands.count < MQTTLimit.retainedCommands, retainedCommands.insert(topic).inserted,
      gate.take(at: now)
    else { return }
    effects.append(.report(.retainedCommand(topic: topic)))
  }

  /// Does a command now, makes it wait, or drops it: see ``CommandGate``.
  private mutating func take(_ command: ReceivedCommand, at now: Instant) {
    // Without the daemon only targets wait, and they do not delay a refusal.
    let isNext = isDaemonThere ? gate.count == 0 && calls.count < MQTTLimit.calls : command.verb != .target
    if isNext, gate.take(at: now) { return perform(command, at: now) }
    let isKnown = index(of: command.control) != nil || command.verb == .target
    let mayWait = isDaemonThere ? isKnown && command.verb != .step : command.verb == .target
    guard mayWait, command.payload.count <= MQTTLimit.commandBytes else { return drop(command, at: now) }
    if let former = gate.wait(command), !former.isSame(as: command) { drop(former, at: now) }
  }

  /// Does the waiting commands whose turn it is.
  mutating func performWaiting(at now: Instant) {
    while isDaemonThere, calls.count < MQTTLimit.calls, let command = gate.takeNext(at: now) {
      perform(command, at: now)
    }
  }

  /// Counts a dropped command. A command with an ID may get a result; others get none.
  private mutating func drop(_ command: ReceivedCommand, at now: Instant) {
    noteDropped(command.topic)
    guard gate.takeDropResult(at: now), index(of: command.control) != nil,
      let id = CommandPayload.id(command.payload)
    else { return }
    answer(command.control, id, Self.tooMany, state: nil)
  }

  /// Counts a message that came too soon after others.
  mutating func noteDropped(_ topic: String) {
    counts.dropped += 1
    gate.drop(topic)
  }

  private static let tooMany = MQTTCallFailure(
    code: "tooManyCommands", message: "commands come faster than 50 a second; this one was dropped")

  mutating func reportDropped(at now: Instant) {
    guard let (count, topic) = gate.report(at: now) else { return }
    effects.append(.report(.tooManyCommands(count, lastTopic: topic)))
  }

  // MARK: Doing

  /// Does a command for which a unit of the budget was taken.
  private mutating func perform(_ received: ReceivedCommand, at now: Instant) {
    let (control, topic) = (received.control, received.topic)
    do throws(MQTTCallFailure) {
      let (command, revision) = try CommandPayload.read(received)
      guard index(of: control) != nil else { return refuseUnknown(received) }
      guard isDaemonThere else { throw .daemonAway }
      if let revision, isKnown(revision, of: control) { return }
      if revision == nil, let id = command.id, isRepeated(received, id, at: now) { return }
      if let failure = refusal(of: command, at: now) {
        if let id = command.id { doneCommands.end(id, topic, nil) }
        throw failure
      }
      lastCall &+= 1
      calls[lastCall] = PendingCall(
        control: control, topic: topic, id: command.id, revision: revision,
        target: revision == nil ? nil : received, began: now)
      if revision != nil { newestTargets[control] = lastCall }
      effects.append(.call(lastCall, command.call))
    } catch {
      refuse(topic, control, CommandPayload.id(received.payload), error)
    }
  }

  /// Whether a command with this ID was done or is about to be. If so, it is answered and not done again.
  private mutating func isRepeated(_ command: ReceivedCommand, _ id: CommandID, at now: Instant) -> Bool {
    switch doneCommands.begin(id, command, at: now) {
    case nil: return false
    case .same(let result?): publish(result: result)
    // The first command has no result yet; it will be published when it arrives.
    case .same(nil): break
    case .other: refuse(command.topic, command.control, id, .repeatedID)
    }
    return true
  }

  /// The refusal of a command that is for another instance, or that is too old.
  private mutating func refusal(of command: Command, at now: Instant) -> MQTTCallFailure? {
    if let expected = command.instance, expected != instance { return .restarted }
    guard let time = command.time else { return nil }
    let limit = Double(settings.commandMaxAge.nanoseconds) / 1e9
    let before = ages.problem
    let age = ages.excess(time, atMost: limit, nanoseconds: now.nanoseconds)
    if let problem = ages.problem {
      if before == nil, nextClockReport <= now { effects.append(.report(.clock(problem))) }
      nextClockReport = now + MQTTLimit.clockReportPause
    }
    return age.map { .tooOld(seconds: $0) }
  }

  private mutating func refuseUnknown(_ command: ReceivedCommand) {
    guard isDaemonThere else { return }
    counts.refused += 1
    let message = "there is no control '\(CommandPayload.excerpt(command.control))'"
    let failure = MQTTCallFailure(code: "noSuchControl", message: message)
    effects.append(.report(.refused(topic: command.topic, failure)))
    guard Topics.isControl(command.control), let id = CommandPayload.id(command.payload) else { return }
    answer(command.control, id, failure, state: nil)
  }

  mutating func answered(
    _ number: UInt32, _ result: Result<ControlInterface.State, MQTTCallFailure>, at now: Instant
  ) {
    guard let call = calls.removeValue(forKey: number) else { return }
    counts.commandTime += now - call.began
    switch result {
    case .success(let state):
      counts.commands += 1
      applied(call)
      guard call.id != nil else { return }
      end(call, result: answer(call.control, call.id, nil, state: PublishedControl(state)))
    case .failure(let failure):
      if call.target != nil, failure.isAbsence || failure == .unknownOutcome {
        return keepTarget(number, call)
      }
      applied(call)
      let result = refuse(call.topic, call.control, call.id, failure)
      end(call, result: failure.isAbsence ? nil : result)
    }
  }

  /// Without a result, the command may be done when it is sent again.
  private mutating func end(_ call: PendingCall, result: MQTTMessage?) {
    if let id = call.id, call.revision == nil { doneCommands.end(id, call.topic, result) }
  }

  /// The daemon is disconnected. Each of its pending calls still gets an answer, because calls have a connection of their own. Waiting
  /// commands have not taken from the budget yet: they are refused as far as it allows.
  mutating func refuseWaiting(at now: Instant) {
    for command in gate.removeValues() {
      if gate.take(at: now) { perform(command, at: now) } else { drop(command, at: now) }
    }
  }

  /// Returns the result, if there is one.
  @discardableResult private mutating func refuse(
    _ topic: String, _ control: String, _ id: CommandID?, _ failure: MQTTCallFailure
  ) -> MQTTMessage? {
    counts.refused += 1
    effects.append(.report(.refused(topic: topic, failure)))
    guard let index = index(of: control) else { return nil }
    return answer(control, id, failure, state: controls[index])
  }

  @discardableResult private mutating func answer(
    _ control: String, _ id: CommandID?, _ failure: MQTTCallFailure?, state: PublishedControl?
  ) -> MQTTMessage {
    let result = MQTTMessage(topics.result(control), statePayload.result(id, failure, state))
    publish(result: result)
    return result
  }

  private mutating func publish(result: MQTTMessage) {
    // The broker gets it before the connection is closed.
    if isClosing { return effects.append(.publish(result, isAcknowledged: false)) }
    guard isConnected else { return }
    if results.count >= MQTTLimit.results { results.removeFirst() }
    results.append(result)
  }

  // MARK: Targets

  private mutating func receivedTarget(_ command: ReceivedCommand, at now: Instant) {
    guard settings.hasTargets else { return }
    guard !command.payload.isEmpty else { return gate.removeTarget(of: command.control) }
    let isPlaced = gate.hasTarget(of: command.control)
    let hasRoom = hasControls ? index(of: command.control) != nil : gate.targetCount < MQTTLimit.controls
    guard isPlaced || hasRoom else {
      // The broker is asked for this target again once the daemon has sent its controls.
      hasMissedTargets = true
      if hasControls, gate.take(at: now) { refuseUnknown(command) }
      return
    }
    take(command, at: now)
  }

  /// Whether a target was applied, or is about to be. Each target is applied once.
  private func isKnown(_ revision: String, of control: String) -> Bool {
    revisions.contains(revision, of: control)
      || calls.values.contains { $0.control == control && $0.revision == revision }
  }

  /// Keeps a target, to try it again when the daemon is there, unless a newer one has arrived.
  private mutating func keepTarget(_ number: UInt32, _ call: PendingCall) {
    guard let target = call.target, newestTargets[call.control] == number,
      !gate.hasTarget(of: call.control)
    else { return }
    _ = gate.wait(target)
  }

  private mutating func applied(_ call: PendingCall) {
    guard let revision = call.revision else { return }
    let names = Set(controls.map(\.name))
    revisions.add(revision, of: call.control, isThere: names.contains)
    hasUnkeptRevisions = true
  }

  /// Has the revisions written: at once, and then at most once a second.
  mutating func keepRevisions(at now: Instant, isLast: Bool = false) {
    guard hasUnkeptRevisions, isLast || nextKeeping <= now else { return }
    (hasUnkeptRevisions, nextKeeping) = (false, now + MQTTLimit.revisionInterval)
    effects.append(.keepRevisions(revisions.texts))
  }
}
