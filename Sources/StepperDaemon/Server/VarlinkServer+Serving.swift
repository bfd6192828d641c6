import StepperSystem
package import StepperCore
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
    takeTurns(&answering, where: \.hasCall) { session in
      guard let hasReplied = session.answer(service, with: answer) else { return nil }
      counters.callsAnswered += 1
      if hasReplied { counters.repliesSent += 1 }
      return nil
    }
  }

  /// Sends the pending replies of streams, within the budget of the wakeup.
  package func publish(at now: Instant) {
    if published != now { publishing.renew() }
    published = now
    takeTurns(&publishing, where: { $0.isDue(at: now) }) { session in
      counters.repliesSent += 1
      return session.sendStreamReply(at: now)
    }
  }

  /// The next deadline that needs no message of a client.
  package func deadline(at now: Instant) -> Instant? {
    var due = Instant.earliest(acceptsAgain, refusals.deadline)
    for session in sessions.values {
      if session.hasCall { return now }
      due = .earliest(due, session.due)
    }
    return due
  }

  /// Serves the sessions for which `hasWork` is true in slices, until none is left or the budget is spent. Each slice
  /// is measured; it returns the time of the input that it reported, if any. Whose turn it is matters only where the
  /// budget may not hold them all.
  private func takeTurns(
    _ budget: inout WorkBudget, where hasWork: (Session) -> Bool, _ turn: (Session) -> Instant?
  ) {
    var waiting: [ClientTurns.Candidate] = []
    for session in sessions.values where hasWork(session) { waiting.append(session.candidate) }
    guard !waiting.isEmpty else { return }
    var isOrdered = !budget.holds(waiting.lazy.map(\.expected))
    var began = clock()
    func pick() -> Int? {
      isOrdered ? turns.next(among: waiting).flatMap { waiting.firstIndex(of: $0) } : waiting.indices.last
    }
    while let index = pick() {
      let next = waiting[index]
      guard !budget.isSpent else {
        counters.budgetOverruns += 1
        budget.noteOverrun()
        break
      }
      guard let session = sessions[next.session] else {
        waiting.remove(at: index)
        continue
      }
      let since = turn(session)
      session.lastTurn = clock() - began
      turns.charge(next, session.lastTurn)
      let hasMore = hasWork(session)
      if hasMore { countMemory(of: session) } else { settle(session) }
      if let since, session.end == nil {
        latency.record(microseconds: (Instant.now - since).nanoseconds / 1_000)
      }
      let ended = clock()
      budget.spend(ended - began)
      began = ended
      if hasMore {
        // More than was estimated.
        isOrdered = true
        waiting[index] = session.candidate
      } else {
        waiting.remove(at: index)
      }
    }
    for next in waiting { if let session = sessions[next.session] { settle(session) } }
  }
}
