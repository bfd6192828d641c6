package import StepperCore
import StepperLinux
package import Varlink

/// Calls are answered and states are published in slices.
extension VarlinkServer {
  /// Answers the received calls with the results of `answer`; the calls of a connection are answered in their order.
  /// Call it once in each wakeup, after ``publish(at:)``.
  package func answer(
    at now: Instant, with answer: (VarlinkCall, Session) throws(VarlinkFailure) -> Answer
  ) {
    answering.renew()
    resumeAccepting(at: now)
    takeTurns(queues.takeCalls(), within: &answering, isMeasured: true, where: \.hasCall) { session in
      guard let hasReplied = session.answer(service, with: answer) else { return nil }
      counters.callsAnswered += 1
      if hasReplied { counters.repliesSent += 1 }
      return nil
    }
  }

  /// Whether calls were received that did not have their turn.
  var hasCalls: Bool { queues.hasCalls }

  /// The stream of the session with this number may have become due; of a session that has ended nothing is.
  package func noteDue(_ session: Int64) {
    if let session = sessions[session] { queues.add(session) }
  }

  /// Sends the pending replies of streams, within the budget of the wakeup.
  package func publish(at now: Instant) {
    if published != now { publishing.renew() }
    published = now
    let sessions = queues.takeReplies(at: now)
    guard !sessions.isEmpty else { return }
    let isMeasured =
      sessions.count > Self.mostUnmeasured || measured.map { now - $0 >= Self.measuredEach } ?? true
    if isMeasured { measured = now }
    takeTurns(sessions, within: &publishing, isMeasured: isMeasured, where: { $0.isDue(at: now) }) {
      session in
      counters.repliesSent += 1
      return session.sendStreamReply(at: now)
    }
  }

  /// The replies of a few streams take the time that they took when they were measured, at most so long ago. Where
  /// asking for the time is a system call, it takes as long as what is measured.
  private static var measuredEach: Duration { .milliseconds(250) }
  private static var mostUnmeasured: Int { 3 }

  /// The next deadline that needs no message of a client.
  package func deadline(at now: Instant) -> Instant? {
    guard queues.isEmpty else { return now }
    return .earliest(queues.delayedDue, .earliest(acceptsAgain, refusals.deadline))
  }

  /// Serves the sessions in slices, until none has work or the budget is spent. A slice returns the time of the input
  /// that it reported, if any.
  ///
  /// Whose turn it is matters only where the budget may not hold them all; otherwise it is in the order of `sessions`.
  private func takeTurns(
    _ sessions: consuming [Session], within budget: inout WorkBudget, isMeasured: Bool,
    where hasWork: (Session) -> Bool, _ turn: (Session) -> Instant?
  ) {
    guard !sessions.isEmpty else { return }
    var waiting = sessions
    let hasTime = budget.holds(waiting.lazy.map(\.expectedTurn))
    var began = isMeasured || !hasTime ? clock() : nil
    if hasTime {
      var left = 0
      for index in waiting.indices {
        let session = waiting[index]
        guard budget.isSpent || serve(session, since: &began, within: &budget, where: hasWork, turn) else {
          continue
        }
        waiting[left] = session
        left += 1
      }
      waiting.removeLast(waiting.count - left)
    }
    for session in waiting { charge(session, expected: .zero) }
    while !waiting.isEmpty, !budget.isSpent {
      let index = indexOfNext(waiting)
      let (session, expected) = (waiting[index], waiting[index].expectedTurn)
      let hasMore = serve(session, since: &began, within: &budget, where: hasWork, turn)
      charge(session, expected: expected)
      if !hasMore { waiting.remove(at: index) }
    }
    if !waiting.isEmpty {
      counters.budgetOverruns += 1
      budget.noteOverrun()
      for session in waiting {
        settle(session)
        queues.add(session)
      }
    }
    queues.giveBack(waiting)
  }

  private func indexOfNext(_ waiting: [Session]) -> Int {
    guard waiting.count > 1 else { return 0 }
    let candidates = waiting.map(\.candidate)
    return turns.next(among: candidates).flatMap { candidates.firstIndex(of: $0) } ?? 0
  }

  /// Gives a session one slice; returns whether it has more work of this kind. `began` is the end of the slice before;
  /// nil: the slice is not measured, and takes as long as the last one.
  private func serve(
    _ session: Session, since began: inout Instant?, within budget: inout WorkBudget,
    where hasWork: (Session) -> Bool, _ turn: (Session) -> Instant?
  ) -> Bool {
    let since = turn(session)
    let hasMore = hasWork(session)
    if !hasMore { counters.bytesSent += Int64(session.write()) }
    if let start = began {
      let end = clock()
      session.lastTurn = end - start
      began = end
      if let since, session.end == nil { latency.record(microseconds: (end - since).nanoseconds / 1_000) }
    }
    session.uncharged += session.lastTurn
    budget.spend(session.lastTurn)
    if session.uncharged >= Self.smallestCharge { charge(session, expected: .zero) }
    if hasMore {
      countMemory(of: session)
    } else {
      settle(session)
      queues.add(session)
    }
    return hasMore
  }

  /// A session's time is charged when it has used so much, which spares most slices the work, when others wait for
  /// it, and at its end.
  private static var smallestCharge: Duration { .microseconds(100) }

  func charge(_ session: Session, expected: Duration) {
    guard session.uncharged > .zero else { return }
    turns.charge(
      .init(user: session.peer.userID, session: session.id, expected: expected), session.uncharged)
    session.uncharged = .zero
  }
}
