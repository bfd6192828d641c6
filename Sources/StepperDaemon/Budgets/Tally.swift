/// How much of something each user has, and all together.
struct Tally<User: Hashable> {
  private var shares: [User: Int] = [:]
  private(set) var total = 0

  func share(of user: User) -> Int { shares[user] ?? 0 }

  /// Who has most; nil if nobody has anything.
  var largest: User? { shares.max { $0.value < $1.value }?.key }

  /// `user` has `change` more than before, or less if that is negative.
  mutating func add(_ change: Int, for user: User) {
    guard change != 0 else { return }
    let share = share(of: user) + change
    shares[user] = share == 0 ? nil : share
    total += change
  }
}
