/// Selects the client that is served next: the user with pending work who has used the least time, and of that user's
/// connections the one that has used the least. A user with 32 connections therefore has the same share as a user
/// with one.
struct ClientTurns {
  private var users = FairShare<UInt32>()
  private var sessions: [UInt32: FairShare<Int64>] = [:]

  /// A connection with pending work.
  struct Candidate: Hashable {
    var user: UInt32
    var session: Int64
    /// The expected duration of its next slice, if known. Sessions with long slices wait for sessions with short ones.
    var expected = Duration.zero
  }

  /// Returns the candidate to serve next; nil if there is none.
  func next(among candidates: [Candidate]) -> Candidate? {
    guard candidates.count > 1 else { return candidates.first }
    let user = users.next(among: candidates, by: \.user, expecting: \.expected)?.user
    guard let user, let shares = sessions[user] else { return candidates.first }
    return shares.next(
      among: candidates.lazy.filter { $0.user == user }, by: \.session, expecting: \.expected)
  }

  /// Charges `time` to a connection.
  mutating func charge(_ candidate: Candidate, _ time: Duration) {
    users.charge(candidate.user, time, expected: candidate.expected)
    sessions[candidate.user]?.charge(candidate.session, time, expected: candidate.expected)
  }

  /// Charges `time` to a user, but to none of its connections.
  mutating func charge(user: UInt32, _ time: Duration) { users.charge(user, time) }

  /// Adds an open connection.
  mutating func add(_ session: Int64, of user: UInt32) {
    users.add(user)
    sessions[user, default: FairShare()].add(session)
  }

  /// Removes a closed connection; `isLast`: it was the last one of the user.
  mutating func remove(_ session: Int64, of user: UInt32, isLast: Bool) {
    if isLast {
      sessions[user] = nil
      users.leave(user)
    } else {
      sessions[user]?.remove(session)
    }
  }
}
