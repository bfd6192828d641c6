package import StepperCore
package import StepperSystem
package import StepperWire
package import SystemPackage

/// Accepts clients and serves them; knows Varlink and nothing of controls.
package final class VarlinkServer<Handler: VarlinkHandler> {
  private let loop: EventLoop
  private var listener: UnixListener
  private let service: VarlinkService
  /// It owns this server.
  private unowned let handler: Handler
  private let limits: Limits
  private(set) package var sessions: [Int: Session] = [:]
  private var lastID = 0
  /// When to accept again after the process ran out of descriptors.
  private var acceptsAgain: Instant?
  /// Told about what clients do that they should not, and what breaks.
  private let report: (_ message: String, _ isFault: Bool) -> Void
  /// Told how long after its input a change was handed to the kernel.
  private let measured: (_ since: Instant) -> Void
  /// By clients that are gone.
  private var formerRepliesSent: Int64 = 0

  /// How many clients there may be.
  package struct Limits {
    package var connections = 128
    package var connectionsPerUser = 32

    package init() {}
  }

  /// The kernel's buffer toward a client: what stands in it is stale for a slow reader.
  private static var sendBufferSize: CInt { 4096 }
  private static var acceptPause: Duration { .seconds(1) }

  package init(
    on listener: consuming UnixListener, loop: EventLoop, service: VarlinkService, handler: Handler,
    limits: Limits = Limits(), measured: @escaping (_ since: Instant) -> Void = { _ in },
    report: @escaping (_ message: String, _ isFault: Bool) -> Void = { _, _ in }
  ) throws(Errno) {
    self.listener = listener
    self.loop = loop
    self.service = service
    self.handler = handler
    self.limits = limits
    self.report = report
    self.measured = measured
    try watchListener()
  }

  private func watchListener() throws(Errno) {
    try loop.watch(listener.rawDescriptor, priority: .client) { [unowned self] _, now in accept(now) }
  }

  /// Whether clients that look for the socket find it.
  package var isReachable: Bool { listener.isInPlace }

  /// Accepts clients at another listener from now on, in place of the former one.
  package func listen(on listener: consuming UnixListener, at now: Instant) throws(Errno) {
    // Who has connected before is served.
    accept(now)
    loop.unwatch(self.listener.rawDescriptor)
    self.listener = listener
    acceptsAgain = nil
    try watchListener()
  }

  package var repliesSent: Int64 { sessions.values.reduce(formerRepliesSent) { $0 + $1.repliesSent } }

  /// When it must be called even if no client says anything.
  package func deadline(at now: Instant) -> Instant? {
    let due = sessions.values.lazy.compactMap { $0.hasBacklog ? now : $0.due }.min()
    return [due, acceptsAgain].compactMap(\.self).min()
  }

  /// Tells the clients what is due. Call it at the end of each wakeup.
  package func flush(at now: Instant) {
    if let acceptsAgain, acceptsAgain <= now {
      self.acceptsAgain = nil
      loop.change(listener.rawDescriptor, to: .readable)
    }
    for session in sessions.values {
      if session.hasBacklog { session.answer(with: handler, service) }
      let since = session.pump(at: now)
      settle(session)
      if let since, session.end == nil { measured(since) }
    }
  }

  /// Ends every stream, gives everyone what can be given, and closes.
  package func stop() {
    loop.unwatch(listener.rawDescriptor)
    for session in sessions.values {
      session.endStream()
      session.write()
      loop.unwatch(session.rawDescriptor)
    }
    sessions = [:]
  }

  // MARK: Clients coming and going

  private func accept(_ now: Instant) {
    do throws(Errno) {
      while let descriptor = try listener.accept() {
        let socket = try StreamConnection(descriptor, sendBufferSize: Self.sendBufferSize)
        let peer = socket.peer
        let ofSameUser = sessions.values.count { $0.peer.userID == peer.userID }
        guard sessions.count < limits.connections, ofSameUser < limits.connectionsPerUser else {
          report("refused a connection of user \(peer.userID): too many are open", true)
          continue
        }
        try start(socket)
      }
    } catch {
      // Out of descriptors or memory: the waiting client stays ready, so look away for a while.
      report("cannot accept clients: \(error); trying again in a second", true)
      loop.change(listener.rawDescriptor, to: [])
      acceptsAgain = now + Self.acceptPause
    }
  }

  private func start(_ socket: consuming StreamConnection) throws(Errno) {
    lastID += 1
    let session = Session(id: lastID, socket: socket)
    try loop.watch(session.rawDescriptor, priority: .client) { [unowned self, unowned session] readiness, _ in
      serve(session, readiness)
    }
    sessions[session.id] = session
  }

  private func serve(_ session: Session, _ readiness: EventLoop.Readiness) {
    if readiness.contains(.readable) { session.read() }
    if readiness.contains(.writable) { session.write() }
    session.answer(with: handler, service)
    if readiness.isBroken, !readiness.contains(.readable) { session.hangUp() }
    settle(session)
  }

  private func updateInterest(_ session: Session) {
    let interest = session.interest
    guard interest != session.watchedInterest else { return }
    session.watchedInterest = interest
    loop.change(session.rawDescriptor, to: interest)
  }

  /// Writes what can be written, and closes what is done.
  private func settle(_ session: Session) {
    session.write()
    guard let end = session.end else {
      updateInterest(session)
      return
    }
    switch end {
    case .finished: break
    case .violated(let reason):
      report("closed the connection of process \(session.peer.processID): \(reason)", true)
    case .failed(let error):
      report("lost the connection of process \(session.peer.processID): \(error)", false)
    }
    loop.unwatch(session.rawDescriptor)
    sessions[session.id] = nil
    formerRepliesSent += session.repliesSent
    handler.ended(session)
  }
}
