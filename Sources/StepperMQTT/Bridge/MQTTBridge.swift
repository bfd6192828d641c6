package import StepperCore
import StepperInterfaces

/// The bridge between the controls of one board and an MQTT broker, as a value without I/O and without a clock.
///
/// It is given what happens together with the time, and returns what is to be done and, as ``deadline``, when it is to be
/// called again. The program `stepperd-mqtt` is a shell around one of these; a simulation has thousands.
///
/// ```
/// start ──► waiting ──► connecting ──► subscribing ──► settling ──► open ──► closing ──► idle
///              ▲ a random pause │              │               │          │
///              └────────────────┴──────────────┴───────────────┴──────────┘ the broker is lost
/// ```
/// While it settles the broker sends what it has retained. When it is open, messages are sent in this order: the
/// announcement, what is to be cleared, `info`, the latest state of each control, and, when `info` has come back, `online`.
/// Nothing is queued for the broker but a mark at each control whose latest state it does not have.
package struct MQTTBridge: Sendable {
  package internal(set) var settings: MQTTBridgeSettings
  let topics: Topics
  var jitter: Jitter
  var effects: [MQTTBridgeEffect] = []

  // The broker
  enum Link: Hashable, Sendable {
    case idle
    case waiting(until: Instant)
    case connecting(until: Instant)
    case subscribing(until: Instant)
    case settling(until: Instant)
    case open
    case closing(until: Instant)
  }
  var link = Link.idle
  /// Pauses of a random part of 1, 2, 4 … 60 seconds, or up to five minutes where the broker does not answer. A connection that was
  /// open for less than 10 s is one more failure: two boards with one ID take it from each other.
  var reconnection = Retry(longestPause: Self.longestPauseOfSilent, stableAfter: .seconds(10))
  /// The last reason that was reported; nil: the connection was fine since.
  var reportedLoss: String?
  /// Whether the broker has answered no subscription since.
  var isLost = false
  /// Whether it was reported of this connection that the board is online.
  var hasReportedOnline = false
  var takeovers: Takeovers
  /// Messages that the broker has not acknowledged, in their order.
  var sent: [Sent] = []
  /// The filters that it does not pass on, and those that were reported last.
  var refusedFilters: [String] = []
  var reportedFilters: [String] = []
  var refusedPublications = RefusedPublications()

  // What the broker has
  enum Status: String { case online, offline }
  /// The status that was published last since the broker accepted the connection.
  var status: Status?
  var own = OwnMessages()
  /// When a message is due to come back at the latest, by its topic.
  var echoesDue: [String: Instant] = [:]
  /// Whether `info` came back since the broker accepted the connection: it passes on what it is sent.
  var hasEcho = false
  /// Topics whose messages did not come back in time.
  var silentTopics: Set<String> = []
  /// When what somebody has overwritten is sent again: a control's text and state by its name, or `info`.
  var repairs: [String: Instant] = [:]
  /// Not before then is another one sent again.
  var nextRepair = Instant.distantPast
  /// Not before then is a status that another has overwritten published again.
  var nextStatus = Instant.distantPast
  /// When the time is published again.
  var nextSign = Instant.distantPast
  var announced: Fingerprint?
  var isDiscoveryDue = false
  var isInfoDue = false
  /// Components that were announced and are no more.
  var removedComponents: [String: ComponentIdentity] = [:]
  /// The topic of an announcement that is not that of now, and is to be cleared.
  var formerDiscovery: String?
  /// Controls whose topics are to be cleared.
  var formerControls: Set<String> = []
  var birthDue: Instant?
  /// Not before then is another birth of Home Assistant answered.
  var nextBirth = Instant.distantPast
  /// Of each connection one announcement and one `info` that the broker has retained is read.
  var hasReadDiscovery = false
  var hasReadInfo = false

  // Configurations
  /// What is published of the last one, and whether the broker does not have it.
  var configurationState: [UInt8] = []
  var isConfigurationStateDue = false
  var configurationLimit = RateLimit(
    every: MQTTLimit.configurationInterval, burst: MQTTLimit.configurationBurst)

  // The daemon
  var isDaemonThere = false
  var instance = ""
  /// As the daemon sent them, so that simulated boards share them.
  var descriptions: [ControlInterface.Description] = []
  var controls: [PublishedControl] = []
  /// The control whose state is sent next, so that a busy one does not keep others waiting.
  var nextControl = 0
  /// Controls that were seen outside of their range, so that their bounds are advisory.
  var outsideControls: Set<String> = []

  // Knobs and remotes of radio networks
  var remotes: [RemoteDevice]

  // Commands
  struct PendingCall: Hashable, Sendable {
    var control: String
    var topic: String
    var id: CommandID?
    /// Of a target.
    var revision: String?
    /// The whole of a target, with which it is tried again.
    var target: ReceivedCommand?
    let began: Instant
  }
  var lastCall: UInt32 = 0
  var calls: [UInt32: PendingCall] = [:]
  var gate = CommandGate()
  /// What the times of commands say, and the offset of the clock that states are given their time by.
  var ages = CommandAges()
  /// Not before then is a problem of a clock reported, for one command may end it and the next one have it again.
  var nextClockReport = Instant.distantPast
  /// Commands with an ID that were done in the last minute.
  var doneCommands = DoneCommands()
  package internal(set) var counts = MQTTBridgeCounts()
  var revisions: AppliedRevisions
  /// The call of the newest target of each control: an older one is not tried again.
  var newestTargets: [String: UInt32] = [:]
  /// Whether some of them are to be kept, and not before when.
  var hasUnkeptRevisions = false
  var nextKeeping = Instant.distantPast
  /// Whether a target came of a control that is not known, and whether the broker is to be asked for targets again.
  var hasMissedTargets = false
  var areTargetsDue = false
  var results: [MQTTMessage] = []
  var momentLimit = RateLimit(every: MQTTLimit.momentInterval, burst: MQTTLimit.momentBurst)
  var retainedCommands: Set<String> = []

  /// `seed` is of its random pauses; `revisions` are what was kept for it: see ``AppliedRevisions``.
  package init(_ settings: MQTTBridgeSettings, seed: UInt64, revisions: [String: String] = [:]) {
    self.settings = settings
    self.revisions = AppliedRevisions(revisions)
    topics = Topics(settings)
    jitter = Jitter(seed: seed)
    takeovers = Takeovers(seed: seed)
    remotes = settings.remotes.map(RemoteDevice.init)
  }

  /// Something has happened. Returns what is to be done, in its order.
  package mutating func handle(_ input: MQTTBridgeInput, at now: Instant) -> [MQTTBridgeEffect] {
    switch input {
    case .start: start(at: now)
    case .stop: stop(at: now)
    case .time: break
    case .configured(let settings): configure(settings)
    case .configurationState(let payload): (configurationState, isConfigurationStateDue) = (payload, true)
    case .revisionsUnkept: (hasUnkeptRevisions, nextKeeping) = (true, now + MQTTLimit.revisionRetryPause)
    case .clock(let offset): ages.realtimeOffset = offset
    case .replied(let reply, let offset): replied(reply, offset)
    case .happened(let moment): happened(moment, at: now)
    case .daemonLost:
      isDaemonThere = false
      for index in remotes.indices { remotes[index].daemonLost() }
      refuseWaiting(at: now)
    case .answered(let number, let result): answered(number, result, at: now)
    case .provided(let index, let answer): provided(index, answer, at: now)
    case .devicesLost: for index in remotes.indices { remotes[index].connectionEnded(at: now) }
    case .accepted: accepted(at: now)
    case .subscribed(let refused): subscribed(refused, at: now)
    case .acknowledged: acknowledged()
    case .publicationRefused(let topic, let reason): publicationRefused(topic, reason, at: now)
    case .received(let message): received(message, at: now)
    case .brokerLost(let reason, let isTakeover):
      if isTakeover { noteTakeover(takeovers.note(at: now)) }
      brokerLost(reason, at: now)
    }
    advance(to: now)
    if isConnected { performWaiting(at: now) }
    advanceRemotes(to: now)
    keepRevisions(at: now)
    reportDropped(at: now)
    publish(at: now)
    defer { effects = [] }
    return effects
  }

  /// Whether the board is published as online.
  package var isOnline: Bool { isOpen && status == .online }

  /// States and results that the broker does not have, and commands that wait.
  package var waitingCount: Int { controls.count(where: \.isDirty) + results.count + gate.count }

  /// What is wrong with a clock, by the last commands that had a time.
  package var clockProblem: ClockProblem? { ages.problem }

  /// Whether another client has the ID of this one, by what happened in the last minutes.
  package func isTakenOver(at now: Instant) -> Bool { now < takeovers.end }

  /// Why there is no connection; nil: there is one, or none was tried yet.
  package var loss: String? { isLost ? reportedLoss : nil }

  var isOpen: Bool { if case .open = link { true } else { false } }
  /// Whether the broker passes commands on.
  var isConnected: Bool {
    switch link {
    case .subscribing, .settling, .open: true
    case .idle, .waiting, .connecting, .closing: false
    }
  }
  /// Whether the broker has answered the subscription.
  var isSubscribed: Bool {
    switch link {
    case .settling, .open: true
    case .idle, .waiting, .connecting, .subscribing, .closing: false
    }
  }
  var isClosing: Bool { if case .closing = link { true } else { false } }

  func index(of control: String) -> Int? { controls.firstIndex { $0.name == control } }

  /// When ``handle(_:at:)`` is to be called with `time` at the latest; nil: when something happens.
  package var deadline: Instant? {
    let due: Instant? =
      switch link {
      case .idle: nil
      case .waiting(let until), .connecting(let until), .subscribing(let until), .settling(let until),
        .closing(let until):
        until
      case .open: openDeadline
      }
    guard link != .idle else { return nil }
    // At the end nothing is done for them any more.
    let remote = isClosing ? nil : remotes.compactMap(\.deadline).min()
    return [due, gateDeadline, remote].compactMap(\.self).min()
  }

  private var gateDeadline: Instant? {
    let hasTurn = isConnected && isDaemonThere && calls.count < MQTTLimit.calls
    let result = Instant.earliest(gate.reportDue, hasUnkeptRevisions ? nextKeeping : nil)
    return hasTurn ? .earliest(result, gate.next) : result
  }

  private var openDeadline: Instant? {
    var result = [
      birthDue, echoesDue.values.min(), repairs.values.min(), nextSign, refusedPublications.nextRetry,
      acknowledgementDue,
    ].compactMap(\.self).min()
    // Before the broker has acknowledged something, nothing else can be sent, however much time passes.
    let hasRoom = inFlight < MQTTLimit.inFlight
    if status == nil, nextStatus > .distantPast, hasRoom || !isDaemonThere {
      result = .earliest(result, nextStatus)
    }
    guard isDaemonThere, hasRoom else { return result }
    for control in controls where control.isDirty {
      result = .earliest(result, Instant(nanoseconds: control.nextState))
    }
    return result
  }
}
