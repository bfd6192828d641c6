/// Amounts by user, and their sum.
struct Tally<User: Hashable> {
  private var shares: [User: Int] = [:]
  private(set) var total = 0

  func share(of user: User) -> Int { shares[user] ?? 0 }

  /// The user with the largest amount; nil if no user has any.
  var largest: User? { shares.max { $0.value < $1.value }?.key }

  /// Adds `change`, which may be negative, to the amount of `user`.
  mutating func add(_ change: Int, for user: User) {
    guard change != 0 else { return }
    let share = share(of: user) + change
    shares[user] = share == 0 ? nil : share
    total += change
  }
}
