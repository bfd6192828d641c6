package import StepperCore
import StepperInterfaces

/// The bridge between the controls of one board and an MQTT broker, as a value without I/O and without a clock.
///
/// The caller passes in each event together with the time. The bridge returns what to do and, as ``deadline``, when it must be called
/// again. The program `stepperd-mqtt` is a shell around one bridge; a simulation has thousands.
///
/// ```
/// start ──► waiting ──► connecting ──► subscribing ──► settling ──► open ──► closing ──► idle
///              ▲ a random pause │              │               │          │
///              └────────────────┴──────────────┴───────────────┴──────────┘ the broker is lost
/// ```
/// While the bridge is settling, the broker sends its retained messages. Once open, messages are sent in this order: the announcement,
/// topics to clear, `info`, the latest state of each control, and, when `info` has come back, `online`. Nothing is queued for the broker:
/// each control only has a mark if the broker does not have its latest state.
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
  /// The pauses are a random part of 1, 2, 4 … 60 seconds, or up to five minutes if the broker does not answer. A connection that lasted
  /// less than 10 s counts as a failure: two boards with the same ID keep taking the connection from each other.
  var reconnection = Retry(longestPause: Self.longestPauseOfSilent, stableAfter: .seconds(10))
  /// The last reported reason; nil: the connection has been fine since.
  var reportedLoss: String?
  /// Whether the broker has not answered a subscription since the last loss.
  var isLost = false
  /// Whether it was reported for this connection that the board is online.
  var hasReportedOnline = false
  var takeovers: Takeovers
  /// Messages that the broker has not acknowledged, in the order in which they were sent.
  var sent: [Sent] = []
  /// The filters that the broker refuses, and those that were reported last.
  var refusedFilters: [String] = []
  var reportedFilters: [String] = []
  /// Whether the broker keeps no retained messages, and whether this was reported.
  var isUnretained = false
  var hasReportedUnretained = false
  var refusedPublications = RefusedPublications()
  /// Whether the broker must acknowledge the time that is published once a minute, because the keep-alive interval is too long.
  var hasLongKeepAlive = false

  // What the broker has
  enum Status: String { case online, offline }
  /// The status last published since the broker accepted the connection.
  var status: Status?
  var own = OwnMessages()
  /// When each message must have come back at the latest, by topic.
  var echoesDue: [String: Instant] = [:]
  /// Whether `info` has come back since the broker accepted the connection, so that the broker is known to deliver what is published.
  var hasEcho = false
  /// Topics whose messages did not come back in time.
  var silentTopics: Set<String> = []
  /// When overwritten messages are sent again: a control's text and state under its name, or `info`.
  var repairs: [String: Instant] = [:]
  /// The earliest time of the next repair.
  var nextRepair = Instant.distantPast
  /// The earliest time at which an overwritten status is published again.
  var nextStatus = Instant.distantPast
  /// When the time is published next.
  var nextSign = Instant.distantPast
  var announced: Fingerprint?
  var isDiscoveryDue = false
  var isInfoDue = false
  /// Components that were announced and no longer exist.
  var removedComponents: [String: ComponentIdentity] = [:]
  /// The topic of a former announcement that differs from the current one and is to be cleared.
  var formerDiscovery: String?
  /// Controls whose topics are to be cleared.
  var formerControls: Set<String> = []
  var birthDue: Instant?
  /// The earliest time at which the next birth message of Home Assistant is answered.
  var nextBirth = Instant.distantPast
  /// Of the broker's retained messages, one announcement and one `info` are read for each connection.
  var hasReadDiscovery = false
  var hasReadInfo = false

  // Configurations
  /// The published state of the last configuration, and whether the broker does not have it yet.
  var configurationState: [UInt8] = []
  var isConfigurationStateDue = false
  var configurationLimit = RateLimit(
    every: MQTTLimit.configurationInterval, burst: MQTTLimit.configurationBurst)

  // The daemon
  var isDaemonThere = false
  var instance = ""
  /// Kept exactly as the daemon sent them, so that simulated boards share them.
  var descriptions: [ControlInterface.Description] = []
  var controls: [PublishedControl] = []
  /// The control whose state is sent next. The controls take turns, so that a busy one does not delay others.
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
    /// Only for a target.
    var revision: String?
    /// The complete target, with which it is tried again.
    var target: ReceivedCommand?
    let began: Instant
  }
  var lastCall: UInt32 = 0
  var calls: [UInt32: PendingCall] = [:]
  var gate = CommandGate()
  /// What the times of commands reveal about clocks, and the clock offset by which states get their time.
  var ages = CommandAges()
  /// The earliest time at which a clock problem is reported again: one command may end the problem and the next one bring it back.
  var nextClockReport = Instant.distantPast
  /// Commands with an ID that were done in the last minute.
  package internal(set) var doneCommands: DoneCommands
  package internal(set) var counts = MQTTBridgeCounts()
  var revisions: AppliedRevisions
  /// The number of the call of each control's newest target: an older target is not tried again.
  var newestTargets: [String: UInt32] = [:]
  /// Whether there are revisions to be kept, and the earliest time for keeping them.
  var hasUnkeptRevisions = false
  var nextKeeping = Instant.distantPast
  /// Whether a target arrived for an unknown control, and whether the broker is to be asked for targets again.
  var hasMissedTargets = false
  var areTargetsDue = false
  var results: [MQTTMessage] = []
  /// The limits for presses and for all other moments: turning a knob against its end does not use up the presses of a button.
  var pressLimit = RateLimit(every: MQTTLimit.momentInterval, burst: MQTTLimit.momentBurst)
  var momentLimit = RateLimit(every: MQTTLimit.momentInterval, burst: MQTTLimit.momentBurst)
  var retainedCommands: Set<String> = []

  /// `seed` seeds the random pauses; `revisions` are the texts that were kept by an earlier run: see ``AppliedRevisions``. `doneCommands`
  /// are those of the bridge before this one.
  package init(
    _ settings: MQTTBridgeSettings, seed: UInt64, revisions: [String: String] = [:],
    doneCommands: DoneCommands = DoneCommands()
  ) {
    self.settings = settings
    self.doneCommands = doneCommands
    self.revisions = AppliedRevisions(revisions)
    topics = Topics(settings)
    jitter = Jitter(seed: seed)
    takeovers = Takeovers(seed: seed)
    remotes = settings.remotes.map(RemoteDevice.init)
  }

  /// Handles an event. Returns what to do, in order.
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
    case .unretained: unretained()
    case .longKeepAlive: hasLongKeepAlive = true
    case .subscribed(let refused): subscribed(refused, at: now)
    case .acknowledged: acknowledged()
    case .publicationRefused(let topic, let reason): publicationRefused(topic, reason, at: now)
    case .received(let message): received(message, at: now)
    case .brokerLost(let reason, let isTakeover):
      if isTakeover { noteTakeover(takeovers.note(at: now)) }
      brokerLost(
        reason, at: now, atMost: reason == Self.silence ? Self.longestPauseOfSilent : Self.longestPause)
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

  /// The number of states and results that the broker does not have, plus commands that wait.
  package var waitingCount: Int { controls.count(where: \.isDirty) + results.count + gate.count }

  /// What is wrong with a clock, judging by the last commands that carried a time.
  package var clockProblem: ClockProblem? { ages.problem }

  /// Whether another client has used the ID of this one in the last minutes.
  package func isTakenOver(at now: Instant) -> Bool { now < takeovers.end }

  /// Why there is no connection; nil: there is one, or none was tried yet.
  package var loss: String? { isLost ? reportedLoss : nil }

  var isOpen: Bool { if case .open = link { true } else { false } }
  /// Whether the broker delivers commands.
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

  /// The latest time at which ``handle(_:at:)`` must be called with `time`; nil: not until something happens.
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
    // While closing, nothing more is done for remotes.
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
    // Until the broker acknowledges something, nothing else can be sent, however much time passes.
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
