package import StepperCore

/// Clears every message that a broker retains of a board.
package struct MQTTForget: BrokerTask, Sendable {
  private let topics: Topics
  private var visit: BrokerVisit
  /// Whether everything was found.
  private var isClearing = false
  private var found: [String] = []
  private var known: Set<String> = []
  /// The controls that the board's `info` names.
  private var controls: [String] = []
  private var inFlight = 0
  /// What the broker does not let it clear.
  private var refusals: [(topic: String, reason: String)] = []

  /// The topic that names the board's controls.
  package var info: String { topics.info }
  /// The topics that were cleared.
  package private(set) var cleared: [String] = []
  package var count: Int { cleared.count }
  /// Whether the broker delivers no retained messages to wildcards, so that topics were cleared by the names in `info`.
  package private(set) var isBlind = false
  /// Whether the board is published as online: it publishes again what is cleared.
  package private(set) var isOnline = false
  /// The most topics that can belong to one board.
  private static let topicLimit = 10_000
  /// Nothing more comes if nothing has come for so long.
  private static let quietTime = Duration.seconds(1)

  /// How long the broker may take for the connection, and for acknowledging everything.
  private let timeout: Duration
  /// Whether nothing is cleared of a board that is online: it is another one, which has the names now.
  private let isSparing: Bool

  /// Whether its own topics and its announcement are cleared: not those that a board has under other names as well.
  private let (hasTopics, hasAnnouncement): (Bool, Bool)

  /// `present` are the names that the board has now.
  package init(
    _ settings: MQTTBridgeSettings, present: MQTTBridgeSettings? = nil, timeout: Duration = .seconds(30),
    sparesOnline isSparing: Bool = false
  ) {
    (topics, self.timeout, self.isSparing) = (Topics(settings), timeout, isSparing)
    let kept = present.map(Topics.init)
    (hasTopics, hasAnnouncement) = (kept?.base != topics.base, kept?.discovery != topics.discovery)
    // Some brokers deliver what they retain only to subscriptions without wildcards.
    visit = BrokerVisit(
      [topics.base + "#"] + (settings.hasDiscovery ? [topics.discovery] : []) + [topics.info, topics.status],
      timeout: timeout)
  }

  package var deadline: Instant? { visit.deadline }
  /// Why it could not clear everything.
  package var failure: String? { visit.failure }

  package mutating func handle(_ input: MQTTBridgeInput, at now: Instant) -> [MQTTBridgeEffect] {
    if let effects = visit.handle(input, at: now) { return effects }
    switch input {
    case .subscribed(let refused):
      visit.work(until: now + Self.quietTime)
      return refused.isEmpty
        ? [] : visit.end("does not let this user read \(refused.joined(separator: ", "))")
    case .received(let message) where !isClearing: collect(message, at: now)
    case .acknowledged where isClearing: inFlight -= 1
    case .publicationRefused(let topic, let reason) where isClearing:
      inFlight -= 1
      refusals.append((topic, reason))
      cleared.removeAll { $0 == topic }
    default: break
    }
    return advance(to: now)
  }

  private mutating func collect(_ message: MQTTMessage, at now: Instant) {
    guard message.isRetained, !message.payload.isEmpty, found.count < Self.topicLimit,
      hasTopics && topics.isOwn(message.topic)
        || hasAnnouncement && message.topic == topics.discovery,
      known.insert(message.topic).inserted
    else { return }
    if message.topic == topics.status, message.says("online") { isOnline = true }
    if message.topic == topics.info { collect(RetainedInfo(message.payload)) }
    found.append(message.topic)
    visit.work(until: now + Self.quietTime)
  }

  private mutating func collect(_ info: RetainedInfo) {
    controls = info.controls
    guard hasAnnouncement, let topic = info.discovery, topics.isDiscovery(topic),
      known.insert(topic).inserted
    else { return }
    found.append(topic)
  }

  private mutating func advance(to now: Instant) -> [MQTTBridgeEffect] {
    guard let due = visit.deadline, due <= now else { return isClearing ? clear() : [] }
    guard !isClearing else { return visit.end(MQTTBridge.unacknowledged) }
    if isSparing, isOnline { return visit.end("has another board of this id, which is online") }
    isClearing = true
    visit.work(until: now + timeout)
    addNamed()
    // The announcement first, and the status last, so that a board whose topics are partly cleared does not look alive.
    found = found.sorted { order($0) > order($1) }
    return clear()
  }

  /// The topics of the controls, if the broker has shown none of them.
  private mutating func addNamed() {
    let ofControls = controls.flatMap { [topics.text($0), topics.state($0), topics.command($0, .target)] }
    guard !ofControls.isEmpty, known.isDisjoint(with: ofControls) else { return }
    isBlind = true
    found += ofControls + [topics.lastSeen]
  }

  private var refusalText: String? {
    guard let first = refusals.first else { return nil }
    let topics = refusals.prefix(3).map(\.topic).joined(separator: ", ")
    let more = refusals.count > 3 ? " and \(refusals.count - 3) more" : ""
    return
      "does not let this user clear \(topics)\(more) (\(first.reason)): clear them as a user who may; all else is cleared"
  }

  private func order(_ topic: String) -> Int {
    topics.isDiscovery(topic) ? 0 : topic == topics.status ? 2 : 1
  }

  private mutating func clear() -> [MQTTBridgeEffect] {
    var effects: [MQTTBridgeEffect] = []
    while inFlight < MQTTLimit.inFlight, let topic = found.popLast() {
      inFlight += 1
      cleared.append(topic)
      effects.append(.publish(MQTTMessage(topic, [], isRetained: true), isAcknowledged: true))
    }
    guard found.isEmpty, inFlight == 0 else { return effects }
    return effects + visit.end(refusalText)
  }
}
