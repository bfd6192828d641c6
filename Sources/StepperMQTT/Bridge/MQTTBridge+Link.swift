import StepperCore

/// The connection to the broker.
extension MQTTBridge {
  /// How long the broker may take for the connection, and for the answer to the subscription.
  private static let timeout = Duration.seconds(30)
  /// How long the broker has to send its retained messages. Messages that arrive later cause some needless publications, but no harm.
  private static let settlingTime = Duration.milliseconds(500)
  /// How long the broker has to acknowledge `offline` at the end.
  private static let partingTime = Duration.seconds(2)
  /// The longest pause after attempts that were refused, or connections that ended.
  static let longestPause = Duration.seconds(60)
  /// The longest pause after attempts that were not answered: a broker with more boards than it can admit at once is not asked more often
  /// than it can answer.
  static let longestPauseOfSilent = Duration.seconds(300)
  /// The reason that is reported of a broker that does not answer.
  package static let silence = "does not answer; check the network, its address, and its firewall"

  mutating func start(at now: Instant) {
    guard link == .idle else { return }
    link = .waiting(until: now + jitter.time(upTo: settings.startSpread))
  }

  mutating func accepted(at now: Instant) {
    guard case .connecting = link else { return }
    link = .subscribing(until: now + Self.timeout)
    counts.connections += 1
    forgetBroker()
    effects.append(.subscribe(topics.otherFilters(settings), commands: topics.commandFilters))
  }

  mutating func unretained() {
    isUnretained = true
    if !hasReportedUnretained { effects.append(.report(.unretained)) }
    hasReportedUnretained = true
  }

  mutating func subscribed(_ refused: [String], at now: Instant) {
    guard case .subscribing = link else { return }
    link = .settling(until: now + Self.settlingTime)
    isLost = false
    hasReportedUnretained = isUnretained
    refusedFilters = refused
    if !refused.isEmpty, refused != reportedFilters { effects.append(.report(.refusedFilters(refused))) }
    reportedFilters = refused
  }

  mutating func brokerLost(
    _ reason: String, at now: Instant, atMost longestPause: Duration
  ) {
    switch link {
    case .idle, .waiting: return
    case .closing:
      // No acknowledgements come any more.
      sent = []
      return
    case .connecting, .subscribing, .settling, .open: break
    }
    for index in remotes.indices { remotes[index].brokerLost(at: now) }
    let longest = min(reconnection.pause(at: now), longestPause)
    let pause = jitter.time(upTo: longest)
    reconnection.failed(at: now, pause: pause)
    link = .waiting(until: now + pause)
    forgetBroker()
    if reason != reportedLoss { effects.append(.report(.brokerLost(reason, retryIn: longest))) }
    (reportedLoss, isLost) = (reason, true)
  }

  mutating func noteTakeover(_ isNews: Bool) {
    if isNews { effects.append(.report(.takenOver)) }
  }

  /// Forgets what the broker has: after a lost connection this is unknown.
  private mutating func forgetBroker() {
    (sent, status, nextStatus, refusedFilters) = ([], nil, .distantPast, [])
    (isUnretained, hasLongKeepAlive) = (false, false)
    refusedPublications.forget()
    (own, echoesDue, hasEcho, silentTopics, repairs) = (OwnMessages(), [:], false, [], [:])
    (announced, birthDue, hasReportedOnline, nextSign) = (nil, nil, false, .distantPast)
    (isDiscoveryDue, isInfoDue, isConfigurationStateDue) = (true, true, true)
    results = []
    gate.forgetBroker()
    (retainedCommands, hasMissedTargets, areTargetsDue) = ([], false, false)
    (hasReadDiscovery, hasReadInfo) = (false, false)
    for index in controls.indices { controls[index].forgetSent() }
  }

  /// Begins nothing new. Pending calls of the daemon are awaited, so that their revisions are kept.
  mutating func stop(at now: Instant) {
    guard link != .idle, !isClosing else { return finish(at: now) }
    // Done even if nothing else was sent yet: the broker may hold an `online` of an earlier run, and gets no will.
    let wasConnected = isConnected
    link = .closing(until: now + Self.partingTime)
    if wasConnected { publish(status: .offline, at: now) }
  }

  private mutating func finish(at now: Instant) {
    keepRevisions(at: now, isLast: true)
    effects += [.disconnect, .stopped]
    link = .idle
  }

  /// Does what is due.
  mutating func advance(to now: Instant) {
    switch link {
    case .waiting(let until) where until <= now:
      reconnection.begin()
      link = .connecting(until: now + Self.timeout)
      effects.append(.connect(will: statusMessage(.offline)))
    case .connecting(let until) where until <= now: giveUp(Self.silence, at: now)
    case .subscribing(let until) where until <= now:
      giveUp("does not answer the subscription; see its log", at: now)
    case .settling(let until) where until <= now:
      reconnection.succeed(at: now)
      link = .open
    case .open where acknowledgementDue.map { $0 <= now } == true:
      // Disconnecting does not publish the will, and there is no room for a message that is to be acknowledged.
      effects.append(.publish(statusMessage(.offline), isAcknowledged: false))
      giveUp(Self.unacknowledged, at: now)
    case .open: advanceOpen(to: now)
    case .closing(let until) where until <= now || (inFlight == 0 && calls.isEmpty): finish(at: now)
    default: break
    }
  }

  private mutating func giveUp(_ reason: String, at now: Instant) {
    effects.append(.disconnect)
    brokerLost(reason, at: now, atMost: Self.longestPauseOfSilent)
  }

  private mutating func advanceOpen(to now: Instant) {
    if let due = birthDue, due <= now {
      (birthDue, nextBirth) = (nil, now + settings.birthSpread)
      announced = nil
      isDiscoveryDue = true
      // Home Assistant subscribes to the status when it has read the announcement.
      if isUnretained { nextSign = now + .seconds(2) }
      repeatStates()
    }
    if nextSign <= now { publishTime(at: now) }
    noteSilence(at: now)
    repair(at: now)
    sendRefused(at: now)
    if areTargetsDue {
      areTargetsDue = false
      effects.append(.subscribe([topics.targets]))
    }
  }
}
