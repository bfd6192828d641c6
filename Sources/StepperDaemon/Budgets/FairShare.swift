import StepperCore

/// Fair queueing: selects the member that will have used the least time.
///
/// Each member has an account of the time it has used. An idle member gains at most one slice ahead of the others,
/// because its next slice is accounted from the level of the others. A member that uses less than its share therefore
/// waits for at most one slice of another member, whatever their number.
struct FairShare<Member: Hashable> {
  /// The time that each member has used, in nanoseconds.
  private var accounts: [Member: Int64] = [:]
  /// The highest account before a slice; new members start there.
  private var level: Int64 = 0
  /// Accounts of former members above the level.
  private var former: [Member: Int64] = [:]
  /// Debts of removed members. New members inherit them, so that reconnecting repeatedly gains nothing.
  private var vacant: [Int64] = []

  private static var mostFormer: Int { 256 }

  var accountCount: Int { accounts.count + former.count + vacant.count }

  /// The candidate whose member will have used the least time after the candidate's work, as far as `time` knows how
  /// long the work takes; nil without candidates.
  func next<Candidate>(
    among candidates: some Sequence<Candidate>, by member: (Candidate) -> Member,
    expecting time: (Candidate) -> Duration = { _ in .zero }
  ) -> Candidate? {
    func finish(_ candidate: Candidate) -> Int64 {
      (accounts[member(candidate)] ?? level) + time(candidate).nanoseconds
    }
    return candidates.min { finish($0) < finish($1) }
  }

  /// Charges `time` for a slice that was expected to take `expected`. Unknown members are ignored.
  mutating func charge(_ member: Member, _ time: Duration, expected: Duration = .zero) {
    guard let account = accounts[member] else { return }
    // The member may have waited because its slice was expected to be long. That must not cost it anything.
    let start = max(account, level - expected.nanoseconds)
    accounts[member] = start + max(time.nanoseconds, 1)
    level = max(start, level)
  }

  // MARK: Members

  /// Adds a member, unless it is present. The member starts with its own former debt, otherwise with that of a removed
  /// member, otherwise at ``level``.
  mutating func add(_ member: Member) {
    guard accounts[member] == nil else { return }
    vacant.removeAll { $0 <= level }
    let index = vacant.indices.min { vacant[$0] < vacant[$1] }
    accounts[member] = former.removeValue(forKey: member) ?? index.map { vacant.remove(at: $0) } ?? level
  }

  /// Removes a member for good.
  mutating func remove(_ member: Member) {
    if let account = accounts.removeValue(forKey: member), account > level { vacant.append(account) }
  }

  /// Removes a member that may be added again.
  mutating func leave(_ member: Member) {
    guard let account = accounts.removeValue(forKey: member), account > level else { return }
    if former.count >= Self.mostFormer { former = former.filter { $0.value > level } }
    if former.count < Self.mostFormer { former[member] = account }
  }
}
