import StepperCore

/// Whose turn it is when several want more than there is: that of the member that will have taken least time.
///
/// Fair queueing: each member has an account of the time it has taken. One that wants nothing for a while earns one turn
/// ahead of the others by it and no more, for its next turn is accounted from where the others are. So a member that
/// takes less than its share waits for one turn of somebody else at most, however many they are.
struct FairShare<Member: Hashable> {
  /// In nanoseconds.
  private var accounts: [Member: Int64] = [:]
  /// The highest account that anybody had before a turn; there new members begin.
  private var level: Int64 = 0
  /// Of members that have left and owe something.
  private var former: [Member: Int64] = [:]
  /// What members owed that were removed. Who comes next takes it over, so that coming anew again and again earns nothing.
  private var vacant: [Int64] = []

  private static var mostFormer: Int { 256 }

  var accountCount: Int { accounts.count + former.count + vacant.count }

  /// The one whose member will have taken least after what it wants, as far as that is known before; nil if there is none.
  func next<Candidate>(
    among candidates: some Sequence<Candidate>, by member: (Candidate) -> Member,
    expecting time: (Candidate) -> Duration = { _ in .zero }
  ) -> Candidate? {
    func finish(_ candidate: Candidate) -> Int64 {
      (accounts[member(candidate)] ?? level) + time(candidate).nanoseconds
    }
    return candidates.min { finish($0) < finish($1) }
  }

  /// The member has had a turn that took `time`, and had been expected to take so long. Ignored for one that is not there.
  mutating func charge(_ member: Member, _ time: Duration, expected: Duration = .zero) {
    guard let account = accounts[member] else { return }
    // It may have waited for as long as was expected of it, and loses nothing by that.
    let start = max(account, level - expected.nanoseconds)
    accounts[member] = start + max(time.nanoseconds, 1)
    level = max(start, level)
  }

  // MARK: Coming and going

  /// A member comes, or is there already: with what it owed when it left, or what somebody owed that was removed.
  mutating func add(_ member: Member) {
    guard accounts[member] == nil else { return }
    vacant.removeAll { $0 <= level }
    let place = vacant.indices.min { vacant[$0] < vacant[$1] }
    accounts[member] = former.removeValue(forKey: member) ?? place.map { vacant.remove(at: $0) } ?? level
  }

  /// The member is gone and never comes back.
  mutating func remove(_ member: Member) {
    if let account = accounts.removeValue(forKey: member), account > level { vacant.append(account) }
  }

  /// The member is gone and may come back.
  mutating func leave(_ member: Member) {
    guard let account = accounts.removeValue(forKey: member), account > level else { return }
    if former.count >= Self.mostFormer { former = former.filter { $0.value > level } }
    if former.count < Self.mostFormer { former[member] = account }
  }
}
