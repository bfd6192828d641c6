package import StepperCore
import StepperSystem

/// Answering calls and telling streams, in turns.
extension VarlinkServer {
  /// Tells what is due, answers calls, and tells what these changed. Call it once in each wakeup, when everything else
  /// that happened in it has been done.
  package func serve(at now: Instant) {
    answering.renew()
    publishing.renew()
    resumeAccepting(at: now)
    flush(at: now)
    takeTurns(&answering, wanting: \.hasCall) { session in
      guard let hasReplied = session.answer(with: handler, service) else { return nil }
      counters.callsAnswered += 1
      if hasReplied { counters.repliesSent += 1 }
      return nil
    }
    flush(at: now)
  }

  /// Tells the streams what is due, as far as the wakeup's budget goes.
  package func flush(at now: Instant) {
    takeTurns(&publishing, wanting: { $0.isDue(at: now) }) { session in
      counters.repliesSent += 1
      return session.pump(at: now)
    }
  }

  /// When ``serve(at:)`` must be called even if no client says anything.
  package func deadline(at now: Instant) -> Instant? {
    var due = [acceptsAgain, refusals.deadline].compactMap(\.self).min()
    for session in sessions.values {
      if session.hasCall { return now }
      if let its = session.due { due = min(due ?? its, its) }
    }
    return due
  }

  /// Gives turns to those who want one until nobody does or the budget is spent. Each turn is measured; it returns when
  /// what it tells happened, if that was an input.
  private func takeTurns(
    _ budget: inout WorkBudget, wanting wants: (Session) -> Bool, _ turn: (Session) -> Instant?
  ) {
    var waiting: [ClientTurns.Candidate] = []
    for session in sessions.values where wants(session) { waiting.append(session.candidate) }
    guard !waiting.isEmpty else { return }
    var began = clock()
    while let next = turns.next(among: waiting), let place = waiting.firstIndex(of: next) {
      guard !budget.isSpent else {
        counters.budgetOverruns += 1
        break
      }
      guard let session = sessions[next.session] else {
        waiting.remove(at: place)
        continue
      }
      let since = turn(session)
      session.lastTurn = clock() - began
      turns.charge(next, session.lastTurn)
      let wantsMore = wants(session)
      if wantsMore { countMemory(of: session) } else { settle(session) }
      if let since, session.end == nil { measured(since) }
      let ended = clock()
      budget.spend(ended - began)
      began = ended
      if wantsMore { waiting[place] = session.candidate } else { waiting.remove(at: place) }
    }
    for next in waiting { if let session = sessions[next.session] { settle(session) } }
  }
}
