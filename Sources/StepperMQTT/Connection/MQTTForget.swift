package import StepperCore

/// Clears every message that a broker retains for a board.
package struct MQTTForget: BrokerTask, Sendable {
  private let topics: Topics
  private var visit: BrokerVisit
  /// Whether all topics were found and are now being cleared.
  private var isClearing = false
  private var found: [String] = []
  private var known: Set<String> = []
  /// The controls that the board's `info` names.
  private var controls: [String] = []
  private var inFlight = 0
  /// The topics that the broker does not let it clear.
  private var refusals: [(topic: String, reason: String)] = []

  /// The topic that names the board's controls.
  package var info: String { topics.info }
  /// The topics that were cleared.
  package private(set) var cleared: [String] = []
  package var count: Int { cleared.count }
  /// Whether the broker delivers no retained messages to wildcards, so that topics were cleared by the names in `info`.
  package private(set) var isBlind = false
  /// Whether the board is published as online, so that it publishes again what is cleared.
  package private(set) var isOnline = false
  /// The most topics that can belong to one board.
  private static let topicLimit = 10_000
  /// After this time without a message, all retained messages have arrived.
  private static let quietTime = Duration.seconds(1)

  /// How long the broker may take for the connection, and for acknowledging all clearing messages.
  private let timeout: Duration
  /// Whether to clear nothing if the board is online: in that case it is another board, which now has the names.
  private let isSparing: Bool

  /// Whether the board's own topics, and its announcement, are to be cleared: not if the board has them under its present names as well.
  private let (hasTopics, hasAnnouncement): (Bool, Bool)

  /// `present` has the names that the board uses now.
  package init(
    _ settings: MQTTBridgeSettings, present: MQTTBridgeSettings? = nil, timeout: Duration = .seconds(30),
    sparesOnline isSparing: Bool = false
  ) {
    (topics, self.timeout, self.isSparing) = (Topics(settings), timeout, isSparing)
    let kept = present.map(Topics.init)
    (hasTopics, hasAnnouncement) = (kept?.base != topics.base, kept?.discovery != topics.discovery)
    // Some brokers deliver retained messages only to subscriptions without wildcards.
    visit = BrokerVisit(
      [topics.base + "#"] + (settings.hasDiscovery ? [topics.discovery] : []) + [topics.info, topics.status],
      timeout: timeout)
  }

  package var deadline: Instant? { visit.deadline }
  /// Why not everything could be cleared.
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
    if isSparing, isOnline { return visit.end("has another board with this id, which is online") }
    isClearing = true
    visit.work(until: now + timeout)
    addNamed()
    // Clears the announcement first and the status last, so that a board whose topics are partly cleared does not look alive.
    found = found.sorted { order($0) > order($1) }
    return clear()
  }

  /// Adds the topics of the controls, if the broker has delivered none of them.
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
      "does not let this user clear \(topics)\(more) (\(first.reason)): clear them as a user with the right to; everything else is cleared"
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
