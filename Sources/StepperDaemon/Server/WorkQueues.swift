import StepperCore

/// The sessions that have work, each once for each kind of work, in the order in which they got it. A wakeup looks at
/// these sessions only.
struct WorkQueues {
  /// Have a call.
  private var calls: [Session] = []
  /// Have a reply of a stream.
  private var replies: [Session] = []
  /// Have a reply of a stream that is due later.
  private var delayed: [Session] = []
  /// The earliest time at which one of those is due.
  private(set) var delayedDue: Instant?
  /// Memory for the next sessions.
  private var spare: [[Session]] = []

  /// Whether a session waits for its turn.
  var isEmpty: Bool { !hasCalls && replies.isEmpty }
  /// Whether a session waits for an answer.
  var hasCalls: Bool { !calls.isEmpty }

  /// Adds a session for the work that it has. Call it whenever it may have got some.
  mutating func add(_ session: Session) {
    if !session.queued.calls, session.hasCall {
      session.queued.calls = true
      calls.append(session)
    }
    if !session.queued.replies, session.due != nil {
      session.queued.replies = true
      replies.append(session)
    }
  }

  /// Removes a session that has ended, if it would be kept for long.
  mutating func remove(_ session: Session) {
    if session.queued.replies { delayed.removeAll { $0 === session } }
  }

  /// The sessions with calls. Give them back with ``giveBack(_:)``.
  mutating func takeCalls() -> [Session] {
    var taken = Self.exchange(&calls, with: &spare)
    // Usually all have one, and a second pass costs every client.
    var hasNone = false
    for session in taken {
      session.queued.calls = false
      if !session.hasCall { hasNone = true }
    }
    if hasNone { taken.removeAll { !$0.hasCall } }
    return taken
  }

  /// The sessions whose streams have a reply that is due at `now`. Give them back with ``giveBack(_:)``.
  mutating func takeReplies(at now: Instant) -> [Session] {
    if let due = delayedDue, due <= now {
      replies += delayed
      delayed.removeAll(keepingCapacity: true)
      delayedDue = nil
    }
    var taken = Self.exchange(&replies, with: &spare)
    var hasNone = false
    for session in taken {
      session.queued.replies = false
      if session.isDue(at: now) { continue }
      hasNone = true
      guard let due = session.due else { continue }
      session.queued.replies = true
      delayed.append(session)
      delayedDue = .earliest(delayedDue, due)
    }
    if hasNone { taken.removeAll { !$0.isDue(at: now) } }
    return taken
  }

  /// The sessions of `queue`, which is empty then and has the memory of former ones.
  private static func exchange(_ queue: inout [Session], with spare: inout [[Session]]) -> [Session] {
    guard !queue.isEmpty else { return [] }
    var taken = spare.popLast() ?? []
    swap(&taken, &queue)
    return taken
  }

  /// Takes back an array, for its memory.
  mutating func giveBack(_ sessions: consuming [Session]) {
    sessions.removeAll(keepingCapacity: true)
    spare.append(sessions)
  }
}
