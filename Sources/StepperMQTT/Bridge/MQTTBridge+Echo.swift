import StepperCore

/// Messages that arrive on the board's own topics: what the board has published itself, what the broker has retained from an earlier run,
/// and what others have written there.
extension MQTTBridge {
  private static let echoTime = Duration.seconds(10)
  /// How often a silent topic is tried again.
  private static let silentTime = Duration.seconds(60)
  /// The least time between two repairs, and the time before each.
  private static let repairInterval = Duration.milliseconds(20)
  private static let repairPause = Duration.seconds(1)

  mutating func expectEcho(of topic: String, at now: Instant) {
    echoesDue[topic] = now + (silentTopics.contains(topic) ? Self.silentTime : Self.echoTime)
  }

  /// A topic whose message did not come back. If there are several, `info`, which keeps the board from being online, comes first.
  package var silentTopic: String? {
    silentTopics.contains(topics.info) ? topics.info : silentTopics.min()
  }

  private mutating func receivedEcho(of topic: String) {
    echoesDue[topic] = nil
    silentTopics.remove(topic)
    guard topic == topics.info else { return }
    (hasEcho, takeovers.hasPublished) = (true, true)
  }

  /// Reports each message that did not come back once, and has it sent again.
  mutating func noteSilence(at now: Instant) {
    for (topic, due) in echoesDue.sorted(by: { $0.key < $1.key }) where due <= now {
      echoesDue[topic] = nil
      if silentTopics.insert(topic).inserted { effects.append(.report(.silentBroker(topic: topic))) }
      if topic == topics.info { isInfoDue = true }
      if topic == topics.discovery { (announced, isDiscoveryDue) = (nil, true) }
    }
  }

  /// The status came back, or it was overwritten: by a late will of an earlier connection, by another board with this ID, or by anybody
  /// while the daemon is away.
  mutating func receivedStatus(_ message: MQTTMessage, at now: Instant) {
    let isOwn = own.take(message)
    guard isOpen, !message.isRetained, let status else { return }
    if message.says(status.rawValue) {
      receivedEcho(of: topics.status)
    } else if !isOwn {
      self.status = nil
      nextStatus = now + Self.repairPause
    }
  }

  /// Home Assistant has started.
  mutating func receivedBirth(_ message: MQTTMessage, at now: Instant) {
    guard isOpen, !message.isRetained, message.says("online") else { return }
    announceAgain(after: .zero, at: now)
  }

  /// Has the board announced again together with all its messages, at a random time.
  private mutating func announceAgain(after pause: Duration, at now: Instant) {
    guard birthDue == nil else { return }
    birthDue = max(now + pause, nextBirth) + jitter.time(upTo: settings.birthSpread)
  }

  /// The retained announcement of this board, which may arrive after the settling time; or an announcement published just now.
  mutating func receivedDiscovery(_ message: MQTTMessage, at now: Instant) {
    guard message.isRetained else {
      return receivedAnnouncement(message, isExpected: settings.hasDiscovery, at: now)
    }
    guard !hasReadDiscovery else { return }
    hasReadDiscovery = true
    let retained = RetainedDiscovery(message.payload)
    if case .settling = link { announced = retained.fingerprint }
    noteAnnounced(retained.components)
    isDiscoveryDue = true
  }

  mutating func receivedInfo(_ message: MQTTMessage, at now: Instant) {
    guard message.isRetained else { return receivedAnnouncement(message, isExpected: true, at: now) }
    guard !hasReadInfo else { return }
    hasReadInfo = true
    let info = RetainedInfo(message.payload)
    noteTakeover(takeovers.read(info.bridge, at: now))
    addFormer(info.controls.filter { !settings.isReserved($0) })
    if let topic = info.discovery, topics.isDiscovery(topic),
      !settings.hasDiscovery || topic != topics.discovery
    {
      formerDiscovery = topic
    }
    if hasControls { formerControls.subtract(controls.map(\.name)) }
  }

  private mutating func receivedAnnouncement(_ message: MQTTMessage, isExpected: Bool, at now: Instant) {
    guard isOpen else { return }
    if own.take(message) {
      receivedEcho(of: message.topic)
    } else if message.topic == topics.info {
      repair("info", at: now)
    } else if isExpected {
      announceAgain(after: Self.repairPause, at: now)
    }
  }

  /// A text or a state came back, or somebody else has overwritten it. In that case it is sent again after a pause: otherwise two clients
  /// that write to the same topic would never come to rest.
  mutating func receivedValue(_ message: MQTTMessage, of control: String, isText: Bool, at now: Instant) {
    guard isOpen, !message.isRetained, !own.take(message), let index = index(of: control) else { return }
    if isText { controls[index].sentText = nil }
    repair(control, at: now)
  }

  mutating func repair(_ name: String, at now: Instant) {
    guard repairs[name] == nil else { return }
    nextRepair = max(now + Self.repairPause, nextRepair + Self.repairInterval)
    repairs[name] = nextRepair
  }

  /// Has the values sent again whose repair is due.
  mutating func repair(at now: Instant) {
    for (name, due) in repairs where due <= now {
      repairs[name] = nil
      if name == "info" { isInfoDue = true }
      if name == Topics.configurationName, settings.configurationKey != nil { isConfigurationStateDue = true }
      if let index = index(of: name) { controls[index].isDirty = true }
    }
  }
}
