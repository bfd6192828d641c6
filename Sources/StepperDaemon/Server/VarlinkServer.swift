package import StepperCore
package import StepperLinux
package import SystemPackage
package import Varlink

/// Accepts connections and serves them. It implements Varlink and is independent of controls.
///
/// The handlers of the loop only move bytes. ``sendReplies(at:)`` sends the replies of a ``ReplySource`` and ``answer(at:with:)``
/// answers calls, in slices and within budgets; the remaining work is derived from the state of the connections and
/// is done in the next wakeups.
package final class VarlinkServer {
  let loop: EventLoop
  private(set) var listener: UnixListener
  let service: VarlinkService
  let limits: Limits
  /// The sessions by their numbers. A number is used only once: whatever belongs to a session has its number and looks it up.
  package var sessions: [Int64: Session] = [:]
  private var lastID: Int64 = 0
  /// The end of the pause in accepting after the process ran out of descriptors.
  var acceptsAgain: Instant?
  var isListenerWatched = false
  var counters = ServerCounters()
  /// From the time stamp of the input to the write of the reply.
  var latency = LatencyWindow()
  var ended = Ended()

  var slots: ConnectionSlots
  var refusals = RefusalLog()
  /// Users who have as many connections as they may.
  var refused = RefusedUsers<ConnectionSlots.Rank>()
  /// Received and unsent bytes, by user.
  var memory = Tally<UInt32>()
  var turns = ClientTurns()
  var answering = WorkBudget(WakeupTime.answering)
  var reporting = WorkBudget(WakeupTime.reporting)
  var publishing = WorkBudget(WakeupTime.publishing)
  /// The time of the last wakeup in which states were published.
  var published: Instant?
  /// The time of the last wakeup in which sending the replies was measured.
  var measured: Instant?
  /// The replies to calls that are not answered at once.
  let source: any ReplySource
  /// Sessions with a call or a reply that is due, each once, in the order in which they got it. A wakeup examines only
  /// these sessions.
  var queue: [Session] = []
  /// Sessions with a reply that is due later, and the earliest of these times.
  var delayed: [Session] = []
  var delayedDue: Instant?

  /// Holds received bytes until a session takes them. Its size limits a read, so that reading 128 clients takes no
  /// longer than answering a few calls.
  private var receiveBuffer = [UInt8](repeating: 0, count: 16 << 10)

  /// The clock that measures the work.
  let clock: () -> Instant
  /// The rank of a client for reserved connections.
  let rank: (_ peer: PeerCredentials) -> ConnectionSlots.Rank
  /// The reply to a refused connection of a user who has `open` connections.
  let refusal: (_ open: Int) -> VarlinkFailure
  /// Logs errors of clients and of the server.
  let report: (_ message: String, _ gravity: Gravity) -> Void

  /// What a report is about.
  package enum Gravity: Hashable {
    /// What happens to connections.
    case ordinary
    /// A client broke the protocol, or cannot be served.
    case problem
    /// The server broke the protocol.
    case bug
  }

  /// Sessions and rows of replies that have ended since the last ``takeEnded()``.
  package struct Ended {
    package var sessions: [Int64] = []
    /// Rows of the ``ReplySource`` after their last reply, or of closed connections.
    package var rows: [Int] = []
  }

  /// The resources that clients may use.
  package struct Limits {
    package var slots = ConnectionSlots.Limits()
    /// Bytes of memory for received calls and unsent replies of all clients; exceeded by one reply at most.
    package var memory = 24 << 20
    /// The send buffer of the kernel: its content is outdated for a slow reader.
    package var sendBuffer: CInt = 4096

    package init() {}
  }

  package init(
    on listener: consuming UnixListener, loop: EventLoop, service: VarlinkService,
    source: any ReplySource, limits: Limits = Limits(), clock: @escaping () -> Instant = { .now },
    rank: @escaping (_ peer: PeerCredentials) -> ConnectionSlots.Rank = { _ in .user },
    refusal: @escaping (_ open: Int) -> VarlinkFailure,
    report: @escaping (_ message: String, _ gravity: Gravity) -> Void = { _, _ in }
  ) throws(Errno) {
    self.listener = listener
    self.loop = loop
    self.service = service
    self.source = source
    self.limits = limits
    slots = ConnectionSlots(limits.slots)
    self.clock = clock
    self.rank = rank
    self.refusal = refusal
    self.report = report
    try watchListener()
  }

  func watchListener() throws(Errno) {
    try loop.watch(listener.rawDescriptor, priority: .client) { [weak self] _, now in self?.accept(now) }
    isListenerWatched = true
  }

  /// Replaces the listener. If this throws, it is tried again.
  package func listen(on listener: consuming UnixListener, at now: Instant) throws(Errno) {
    // Pending connections of the former listener are served too.
    accept(now)
    loop.unwatch(self.listener.rawDescriptor)
    self.listener = listener
    (acceptsAgain, isListenerWatched) = (now + Self.acceptPause, false)
    try watchListener()
    acceptsAgain = nil
  }

  /// Ends all calls, after the replies that are due; writes the pending replies as far as the sockets accept them; and
  /// closes the connections. Calls that are not answered by now end with their connection.
  package func stop(at now: Instant) {
    loop.unwatch(listener.rawDescriptor)
    (queue, delayed, delayedDue) = ([], [], nil)
    // One after the other, so that the last replies are not in memory together.
    while let (number, session) = sessions.first {
      counters.bytesSent += Int64(session.finish(of: source, at: now))
      loop.unwatch(session.rawDescriptor)
      sessions[number] = nil
    }
  }

  // MARK: Connections

  func start(_ socket: consuming StreamConnection) throws(Errno) {
    lastID += 1
    let session = Session(id: lastID, socket: socket)
    let number = session.id
    try loop.watch(session.rawDescriptor, priority: .client) { [weak self] readiness, _ in
      if let self, let session = sessions[number] { move(session, readiness) }
    }
    sessions[session.id] = session
    slots.add(session.peer.userID)
    turns.add(session.id, of: session.peer.userID)
    counters.accepted += 1
  }

  /// Moves bytes between the socket and the session.
  private func move(_ session: Session, _ readiness: EventLoop.Readiness) {
    if readiness.contains(.readable) { counters.bytesReceived += Int64(session.read(with: &receiveBuffer)) }
    if readiness.contains(.writable) { session.noteWritable() }
    if readiness.isBroken { session.hangUp() }
    // A call is answered in this wakeup, and the interest is updated after that.
    settle(session, watching: !session.hasCall)
    enqueue(session)
  }

  /// The sessions and rows that have ended since the last call. The caller releases what belongs to them.
  package func takeEnded() -> Ended {
    defer { ended = Ended() }
    return ended
  }

  // MARK: Memory

  /// Call it whenever the memory of the session may have changed. If all clients together exceed the limit, the
  /// largest connection of the user with the largest total is closed; it may be this one.
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

/// Counters of the server since the start, which ``MetricFamily`` describes.
struct ServerCounters: Hashable {
  var accepted: Int64 = 0
  var refused: Int64 = 0
  var outgrown: Int64 = 0
  var callsAnswered: Int64 = 0
  var repliesSent: Int64 = 0
  var bytesReceived: Int64 = 0
  var bytesSent: Int64 = 0
  var budgetOverruns: Int64 = 0
}
