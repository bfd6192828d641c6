package import StepperCore
package import StepperSystem
package import SystemPackage
package import Varlink

/// Accepts clients and serves them; knows Varlink and nothing of controls.
///
/// The loop's handlers only move bytes. Replies of streams are sent by ``publish(at:)`` and calls are answered in
/// ``answer(at:with:)``, in turns and within budgets; what is left over is derived from the state of the connections, and
/// is done in the next wakeups.
package final class VarlinkServer {
  let loop: EventLoop
  private(set) var listener: UnixListener
  let service: VarlinkService
  let limits: Limits
  private(set) package var sessions: [Int64: Session] = [:]
  private var lastID: Int64 = 0
  /// When to accept again after the process ran out of descriptors.
  var acceptsAgain: Instant?
  var counters = ServerCounters()
  /// From an input to the reply that reports it handed to the kernel.
  var latency = LatencyWindow()
  private var ended = Ended()

  var places: ConnectionPlaces
  var refusals = RefusalLog()
  /// Of received and unsent bytes, by user.
  private(set) var memory = Tally<UInt32>()
  var turns = ClientTurns()
  var answering = WorkBudget(WakeupTime.answering)
  var publishing = WorkBudget(WakeupTime.publishing)
  /// The wakeup in which it was published last.
  var published: Instant?

  /// What the time that work takes is measured by.
  let clock: () -> Instant
  /// For whom places are kept.
  let rank: (_ peer: PeerCredentials) -> ConnectionPlaces.Rank
  /// Logs what clients do that they should not, and what breaks.
  let report: (_ message: String, _ isFault: Bool) -> Void

  /// What has ended since the last ``takeEnded()``.
  package struct Ended {
    /// Connections that are closed.
    package var sessions: [Int64] = []
    /// Streams that have made their last reply, or whose connections are closed.
    package var streams: [any ReplyStream] = []
  }

  /// What clients may have.
  package struct Limits {
    package var places = ConnectionPlaces.Limits()
    /// Bytes of memory that received calls and unsent replies of all clients may take; one reply more at most.
    package var memory = 24 << 20
    /// The kernel's buffer toward a client: what stands in it is stale for a slow reader.
    package var sendBuffer: CInt = 4096

    package init() {}
  }

  package init(
    on listener: consuming UnixListener, loop: EventLoop, service: VarlinkService,
    limits: Limits = Limits(), clock: @escaping () -> Instant = { .now },
    rank: @escaping (_ peer: PeerCredentials) -> ConnectionPlaces.Rank = { _ in .user },
    report: @escaping (_ message: String, _ isFault: Bool) -> Void = { _, _ in }
  ) throws(Errno) {
    self.listener = listener
    self.loop = loop
    self.service = service
    self.limits = limits
    places = ConnectionPlaces(limits.places)
    self.clock = clock
    self.rank = rank
    self.report = report
    try watchListener()
  }

  private func watchListener() throws(Errno) {
    try loop.watch(listener.rawDescriptor, priority: .client) { [unowned self] _, now in accept(now) }
  }

  /// Accepts clients at another listener from now on, in place of the former one.
  package func listen(on listener: consuming UnixListener, at now: Instant) throws(Errno) {
    // Who has connected before is served.
    accept(now)
    loop.unwatch(self.listener.rawDescriptor)
    self.listener = listener
    acceptsAgain = nil
    try watchListener()
  }

  /// Ends every stream, gives everyone what can be given, and closes.
  package func stop() {
    loop.unwatch(listener.rawDescriptor)
    for session in sessions.values {
      session.endStream()
      _ = session.write()
      loop.unwatch(session.rawDescriptor)
    }
    sessions = [:]
  }

  // MARK: Connections

  func start(_ socket: consuming StreamConnection) throws(Errno) {
    lastID += 1
    let session = Session(id: lastID, socket: socket)
    try loop.watch(session.rawDescriptor, priority: .client) { [unowned self, unowned session] readiness, _ in
      move(session, readiness)
    }
    sessions[session.id] = session
    places.add(session.peer.userID)
    turns.add(session.id, of: session.peer.userID)
    counters.accepted += 1
  }

  /// Moves bytes between the socket and the session.
  private func move(_ session: Session, _ readiness: EventLoop.Readiness) {
    if readiness.contains(.readable) { counters.bytesReceived += Int64(session.read()) }
    if readiness.contains(.writable) { counters.bytesSent += Int64(session.write()) }
    if readiness.isBroken { session.hangUp() }
    // A call is answered in this wakeup, after which it is seen what the socket must be watched for.
    settle(session, watching: !session.hasCall)
  }

  /// Writes what can be written, and closes what is done; with `watching` the loop watches for what is wanted now.
  func settle(_ session: Session, watching: Bool = true) {
    counters.bytesSent += Int64(session.write())
    if let stream = session.takeEndedStream() { ended.streams.append(stream) }
    if session.end == nil { countMemory(of: session) }
    guard let end = session.end else {
      if watching { updateInterest(session) }
      return
    }
    guard sessions.removeValue(forKey: session.id) != nil else { return }
    switch end {
    case .finished: break
    case .violated(let reason):
      report("closed the connection of process \(session.peer.processID): \(reason)", true)
    case .failed(let error):
      report("lost the connection of process \(session.peer.processID): \(error)", false)
    case .outgrown(let unsent):
      counters.outgrown += 1
      report(
        "closed the connection of process \(session.peer.processID): it has not read \(unsent) bytes, and memory for "
          + "clients has run out", true)
    }
    loop.unwatch(session.rawDescriptor)
    memory.add(-session.countedMemory, for: session.peer.userID)
    let user = session.peer.userID
    places.remove(user)
    turns.remove(session.id, of: user, isLast: places.count(of: user) == 0)
    ended.sessions.append(session.id)
  }

  /// What has ended since the last call; whatever belonged to it ends too.
  package func takeEnded() -> Ended {
    defer { ended = Ended() }
    return ended
  }

  private func updateInterest(_ session: Session) {
    let interest = session.interest
    guard interest != session.watchedInterest else { return }
    session.watchedInterest = interest
    loop.change(session.rawDescriptor, to: interest)
  }

  // MARK: Memory

  /// Call it whenever the memory of the session may have changed. Where all clients together have too much, the user who
  /// has most loses the connection that has most; it may be this one.
  func countMemory(of session: Session) {
    memory.add(session.memory - session.countedMemory, for: session.peer.userID)
    session.countedMemory = session.memory
    while memory.total > limits.memory, let user = memory.largest {
      let its = sessions.values.lazy.filter { $0.peer.userID == user }
      guard let largest = its.max(by: { $0.countedMemory < $1.countedMemory }) else { return }
      largest.close(.outgrown(unsent: largest.unsentCount))
      settle(largest)
    }
  }
}
