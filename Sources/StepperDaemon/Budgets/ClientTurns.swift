import StepperCore

/// Which client is served next: of the users who want something the one who has taken least time, and of that user's
/// connections the one that has. So a user with 32 connections gets what one with a single connection gets.
struct ClientTurns {
  private var users = FairShare<UInt32>()
  private var sessions: [UInt32: FairShare<Int64>] = [:]

  /// A connection that wants something.
  struct Candidate: Hashable {
    var user: UInt32
    var session: Int64
    /// How long its turn will take, as far as that is known before: what takes long waits for what does not.
    var expected = Duration.zero
  }

  /// nil if nobody wants anything.
  func next(among candidates: [Candidate]) -> Candidate? {
    guard candidates.count > 1 else { return candidates.first }
    let user = users.next(among: candidates, by: \.user, expecting: \.expected)?.user
    guard let user, let shares = sessions[user] else { return candidates.first }
    return shares.next(
      among: candidates.lazy.filter { $0.user == user }, by: \.session, expecting: \.expected)
  }

  /// What was done for a connection took `time`.
  mutating func charge(_ candidate: Candidate, _ time: Duration) {
    users.charge(candidate.user, time, expected: candidate.expected)
    sessions[candidate.user]?.charge(candidate.session, time, expected: candidate.expected)
  }

  /// What was done for a user, and for none of its connections, took `time`.
  mutating func charge(user: UInt32, _ time: Duration) { users.charge(user, time) }

  /// A connection is open.
  mutating func add(_ session: Int64, of user: UInt32) {
    users.add(user)
    sessions[user, default: FairShare()].add(session)
  }

  /// The connection is closed; `isLast`: it was the user's last one.
  mutating func remove(_ session: Int64, of user: UInt32, isLast: Bool) {
    if isLast {
      sessions[user] = nil
      users.leave(user)
    } else {
      sessions[user]?.remove(session)
    }
  }
}
