import StepperCore
import StepperInterfaces
import Varlink

/// What is sent to the broker, and when.
extension MQTTBridge {
  /// Sends what may be sent, within the limit of unacknowledged messages.
  mutating func publish(at now: Instant) {
    guard isOpen else { return }
    if nextStatus <= now { nextStatus = .distantPast }
    if !isDaemonThere, status != .offline, now >= nextStatus { publish(status: .offline, at: now) }
    while inFlight < MQTTLimit.inFlight, publishNext(at: now) {}
  }

  /// Sends one message. Returns whether there was one to send.
  private mutating func publishNext(at now: Instant) -> Bool {
    if !results.isEmpty {
      send(results.removeFirst(), at: now)
      return true
    }
    if let message = dueConfigurationState() {
      send(message, at: now)
      return true
    }
    guard isDaemonThere else { return false }
    if isDiscoveryDue { return publishDiscovery(at: now) || publishNext(at: now) }
    if let topic = formerDiscovery {
      formerDiscovery = nil
      send(MQTTMessage(topic, [], isRetained: true), at: now)
      return true
    }
    if let control = formerControls.min() {
      formerControls.remove(control)
      for topic in [topics.text(control), topics.state(control)] {
        send(MQTTMessage(topic, [], isRetained: true), at: now)
      }
      return true
    }
    if isInfoDue {
      isInfoDue = false
      send(MQTTMessage(topics.info, infoPayload, isRetained: true), at: now)
      expectEcho(of: topics.info, at: now)
      return true
    }
    return publishState(at: now) || publishOnline(at: now)
  }

  private mutating func send(_ message: MQTTMessage, at now: Instant) {
    sent.append(Sent(topic: message.topic, at: now))
    if message.isRetained { own.sent(message) }
    effects.append(.publish(message, isAcknowledged: true))
  }

  mutating func publish(status: Status, at now: Instant) {
    self.status = status
    echoesDue[topics.status] = nil
    send(statusMessage(status), at: now)
  }

  func statusMessage(_ status: Status) -> MQTTMessage {
    MQTTMessage(topics.status, Array(status.rawValue.utf8), isRetained: true)
  }

  /// Publishes `online` once every state has been sent and the broker has shown that it delivers what is published.
  private mutating func publishOnline(at now: Instant) -> Bool {
    guard status != .online, hasEcho, now >= nextStatus, controls.allSatisfy(\.isSent) else { return false }
    publish(status: .online, at: now)
    expectEcho(of: topics.status, at: now)
    if !hasReportedOnline { effects.append(.report(.online)) }
    hasReportedOnline = true
    reportedLoss = nil
    return true
  }

  /// Publishes the time. It reveals a board that went down together with its broker, so that nobody published its will. Boards publish it
  /// at different times. If the broker retains nothing, clients that have connected since get the status and the states with it.
  mutating func publishTime(at now: Instant) {
    nextSign = now + (MQTTLimit.signInterval - jitter.time(upTo: MQTTLimit.signInterval / 6))
    let time = UTCTime(
      microseconds: (now.nanoseconds / 1_000).addingReportingOverflow(ages.realtimeOffset).partialValue)
    let message = MQTTMessage(topics.lastSeen, Array(time.description.utf8), isRetained: true)
    if hasLongKeepAlive { sent.append(Sent(topic: message.topic, at: now)) }
    effects.append(.publish(message, isAcknowledged: hasLongKeepAlive))
    guard isUnretained, let status else { return }
    send(statusMessage(status), at: now)
    repeatStates()
  }

  /// All states and texts are sent again.
  mutating func repeatStates() {
    for index in controls.indices { (controls[index].isDirty, controls[index].sentText) = (true, nil) }
  }

  private mutating func publishState(at now: Instant) -> Bool {
    for offset in controls.indices {
      let index = (nextControl + offset) % controls.count
      guard controls[index].isDirty, controls[index].nextState <= now.nanoseconds else { continue }
      nextControl = index + 1
      sendState(index, at: now)
      return true
    }
    return false
  }

  private mutating func sendState(_ index: Int, at now: Instant) {
    let control = controls[index]
    controls[index].isDirty = false
    controls[index].isSent = true
    controls[index].nextState = (now + settings.stateInterval).nanoseconds
    if control.sentText != control.plainText {
      controls[index].sentText = control.plainText
      send(MQTTMessage(topics.text(control.name), Array(control.plainText.utf8), isRetained: true), at: now)
    }
    send(MQTTMessage(topics.state(control.name), statePayload.bytes(control), isRetained: true), at: now)
  }

  var statePayload: StatePayload { StatePayload(instance: instance, realtimeOffset: ages.realtimeOffset) }

  // MARK: The announcement

  /// Returns whether anything was sent.
  private mutating func publishDiscovery(at now: Instant) -> Bool {
    isDiscoveryDue = false
    guard settings.hasDiscovery else {
      removedComponents = [:]
      return false
    }
    let (plans, payload) = (plans, DiscoveryPayload(settings: settings, topics: topics))
    let bytes = payload.bytes(plans)
    let removed = takeRemoved()
    if !removed.isEmpty {
      // The removals are sent as a message of their own. A component whose platform has changed is removed and created again, but a JSON
      // object has each key only once. Besides, Home Assistant skips the rest of a message, beginning with the first component that it is
      // still adding because of the message before.
      send(MQTTMessage(topics.discovery, payload.bytes([], removed: removed), isRetained: true), at: now)
      announced = nil
    }
    let fingerprint = Fingerprint(bytes)
    guard fingerprint != announced else { return false }
    announced = fingerprint
    send(MQTTMessage(topics.discovery, bytes, isRetained: true), at: now)
    expectEcho(of: topics.discovery, at: now)
    return true
  }

  /// The announced components that no longer exist or no longer have the same identity.
  private mutating func takeRemoved() -> DiscoveryPayload.Removed {
    for (key, identity) in components where removedComponents[key] == identity {
      removedComponents[key] = nil
    }
    defer { removedComponents = [:] }
    return removedComponents.sorted { $0.key < $1.key }.map { ($0.key, $0.value.platform) }
  }

  // MARK: The board

  private var infoPayload: [UInt8] {
    let configuration = Fingerprint(DiscoveryPayload(settings: settings, topics: topics).bytes(plans))
    let info: JSONObject = [
      "version": settings.version, "instance": instance, "configuration": configuration.text,
      "controls": controls.map(\.name), "bridge": takeovers.mark,
      "discovery": settings.hasDiscovery ? topics.discovery : nil,
    ]
    return info.payload
  }
}
