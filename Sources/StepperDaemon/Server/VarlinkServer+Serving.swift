package import StepperCore
import StepperLinux
package import Varlink

/// Answers calls and sends replies, in slices.
extension VarlinkServer {
  /// The two kinds of work for a session.
  private enum Work {
    case calls(Callers)
    /// Replies that are due at this time.
    case replies(Instant)
  }

  /// Whose calls are answered.
  package enum Callers: Hashable {
    /// Clients that have attached a device.
    case providers
    case others
  }

  /// Answers the received calls with the results of `answer`; the calls of a connection are answered in their order.
  /// Call it in each wakeup once for providers, and once for others after ``sendReplies(at:)``.
  package func answer(
    _ callers: Callers = .others, at now: Instant,
    with answer: (VarlinkCall, Session) throws(VarlinkFailure) -> Answer
  ) {
    if callers == .others {
      resumeAccepting(at: now)
    } else if !queue.contains(where: { $0.isProvider && $0.hasCall }) {
      return
    }
    self[budget: callers].renew()
    serve(.calls(callers), at: now, within: &self[budget: callers], isMeasured: true) { session in
      guard let hasReplied = session.answer(service, with: answer) else { return nil }
      counters.callsAnswered += 1
      if hasReplied { counters.repliesSent += 1 }
      return nil
    }
  }

  private subscript(budget callers: Callers) -> WorkBudget {
    get { callers == .providers ? reporting : answering }
    set { if callers == .providers { reporting = newValue } else { answering = newValue } }
  }

  /// Whether calls were received that have not had their turn.
  var hasCalls: Bool { queue.contains(where: \.hasCall) }

  /// Call it when a reply to the session with this number may have become due. Sessions that have ended are ignored.
  package func noteDue(_ session: Int64) {
    if let session = sessions[session] { enqueue(session) }
  }

  /// Sends the replies of the source that are due, within the budget of the wakeup.
  package func sendReplies(at now: Instant) {
    if published != now { publishing.renew() }
    published = now
    if let due = delayedDue, due <= now {
      let former = delayed
      (delayed, delayedDue) = ([], nil)
      for session in former { enqueue(session) }
    }
    // Sessions that only have calls wait for their answers.
    guard queue.contains(where: { !$0.hasCall || $0.due(of: source) != nil }) else { return }
    let isMeasured =
      queue.count > Self.mostUnmeasured || measured.map { now - $0 >= Self.measuredEach } ?? true
    if isMeasured { measured = now }
    serve(.replies(now), at: now, within: &publishing, isMeasured: isMeasured) { session in
      counters.repliesSent += 1
      return session.row.flatMap { source.sendReply($0, on: &session.varlink, at: now) }
    }
  }

  /// Replies to at most ``mostUnmeasured`` sessions are measured only once in this time. In between, their last
  /// measured times are used. Where reading the clock is a system call, it takes as long as what it measures.
  private static var measuredEach: Duration { .milliseconds(250) }
  private static var mostUnmeasured: Int { 3 }

  /// The next deadline that needs no message of a client.
  package func deadline(at now: Instant) -> Instant? {
    guard queue.isEmpty else { return now }
    return .earliest(delayedDue, .earliest(acceptsAgain, refusals.deadline))
  }

  // MARK: Sessions with work

  /// Queues a session if it has work. Call it whenever the session may have got some.
  func enqueue(_ session: Session) {
    guard !session.isQueued, session.hasCall || session.due(of: source) != nil else { return }
    session.isQueued = true
    queue.append(session)
  }

  private func has(_ work: Work, _ session: Session) -> Bool {
    switch work {
    case .calls(let callers): session.hasCall && session.isProvider == (callers == .providers)
    case .replies(let now): session.due(of: source).map { $0 <= now } ?? false
    }
  }

  /// Removes the sessions without work now from the queue. Those with a reply that is due later are kept in ``delayed``.
  private func sortQueue(at now: Instant) {
    queue.removeAll { session in
      let due = session.due(of: source)
      if session.hasCall || due.map({ $0 <= now }) ?? false { return false }
      session.isQueued = false
      if let due {
        if !delayed.contains(where: { $0 === session }) { delayed.append(session) }
        delayedDue = .earliest(delayedDue, due)
      }
      return true
    }
  }

  // MARK: Slices

  /// Serves the sessions with `work` in slices, until none has any or the budget is spent. A slice returns the time of the
  /// input that it reported, if any.
  ///
  /// Fair turns are needed only if the budget may be too small for all sessions. Otherwise the queue determines the order.
  private func serve(
    _ work: Work, at now: Instant, within budget: inout WorkBudget, isMeasured: Bool,
    _ slice: (Session) -> Instant?
  ) {
    guard !queue.isEmpty else { return }
    let hasTime = budget.holds(queue.lazy.filter { self.has(work, $0) }.map(\.expectedTurn))
    var began = isMeasured || !hasTime ? clock() : nil
    var waiting: [Session] = []
    for place in 0..<queue.count where has(work, queue[place]) {
      let session = queue[place]
      if hasTime, !budget.isSpent, !serve(session, work, since: &began, within: &budget, slice) { continue }
      waiting.append(session)
    }
    for session in waiting { charge(session, expected: .zero) }
    while !waiting.isEmpty, !budget.isSpent {
      let place = indexOfNext(waiting)
      let (session, expected) = (waiting[place], waiting[place].expectedTurn)
      let hasMore = serve(session, work, since: &began, within: &budget, slice)
      charge(session, expected: expected)
      if !hasMore { waiting.remove(at: place) }
    }
    if !waiting.isEmpty {
      counters.budgetOverruns += 1
      budget.noteOverrun()
      for session in waiting { settle(session) }
    }
    sortQueue(at: now)
  }

  private func indexOfNext(_ waiting: [Session]) -> Int {
    guard waiting.count > 1 else { return 0 }
    let candidates = waiting.map(\.candidate)
    return turns.next(among: candidates).flatMap { candidates.firstIndex(of: $0) } ?? 0
  }

  /// Gives a session one slice; returns whether it has more work of this kind. `began` is the end of the slice before;
  /// nil: the slice is not measured, and counts as long as the last slice of the session.
  private func serve(
    _ session: Session, _ work: Work, since began: inout Instant?, within budget: inout WorkBudget,
    _ slice: (Session) -> Instant?
  ) -> Bool {
    let input = slice(session)
    let hasMore = has(work, session)
    if hasMore { countMemory(of: session) } else { settle(session) }
    if let start = began {
      let end = clock()
      session.lastTurn = end - start
      began = end
      if let input, session.end == nil { latency.record(microseconds: (end - input).nanoseconds / 1_000) }
    }
    session.uncharged += session.lastTurn
    budget.spend(session.lastTurn)
    if session.uncharged >= Self.smallestCharge { charge(session, expected: .zero) }
    return hasMore
  }

  /// Writes pending output and removes an ended session; with `watching` the loop watches for the present interest.
  func settle(_ session: Session, watching: Bool = true) {
    counters.bytesSent += Int64(session.write())
    if let row = session.takeEndedRow() { ended.rows.append(row) }
    if session.end == nil { countMemory(of: session) }
    guard let end = session.end else {
      if watching { updateInterest(session) }
      return
    }
    guard sessions.removeValue(forKey: session.id) != nil else { return }
    switch end {
    case .finished: break
    case .violated(let reason):
      report("closed the connection of process \(session.peer.processID): \(reason)", .problem)
    case .misanswered(let reason):
      report("closed the connection of process \(session.peer.processID): \(reason)", .bug)
    case .failed(let error):
      report("lost the connection of process \(session.peer.processID): \(error)", .ordinary)
    case .outgrown(let unsent):
      counters.outgrown += 1
      report(
        "closed the connection of process \(session.peer.processID): it has not read \(unsent) bytes, and memory for "
          + "clients has run out", .problem)
    }
    delayed.removeAll { $0 === session }
    charge(session, expected: .zero)
    loop.unwatch(session.rawDescriptor)
    memory.add(-session.countedMemory, for: session.peer.userID)
    let user = session.peer.userID
    slots.remove(user)
    refused.admit(with: slots)
    turns.remove(session.id, of: user, isLast: slots.count(of: user) == 0)
    ended.sessions.append(session.id)
  }

  private func updateInterest(_ session: Session) {
    let interest = session.interest
    guard interest != session.watchedInterest else { return }
    session.watchedInterest = interest
    loop.change(session.rawDescriptor, to: interest)
  }

  /// A session's time is charged when it reaches this amount, when others wait for their turn, and when the session
  /// ends. This spares most slices the work of charging.
  private static var smallestCharge: Duration { .microseconds(100) }

  func charge(_ session: Session, expected: Duration) {
    guard session.uncharged > .zero else { return }
    turns.charge(
      .init(user: session.peer.userID, session: session.id, expected: expected), session.uncharged)
    session.uncharged = .zero
  }
}
