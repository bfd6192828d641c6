/// The users whose next connection would be refused, since one was. A user leaves when a connection of it would be
/// admitted again.
struct RefusedUsers {
  /// More users than a list of problems has use for.
  static let most = 8

  private var ranks: [UInt32: ConnectionSlots.Rank] = [:]
  /// The number of changes.
  private(set) var revision = 0

  /// A connection of `user` was refused.
  mutating func note(_ user: UInt32, _ rank: ConnectionSlots.Rank) {
    guard ranks[user] == nil, ranks.count < Self.most else { return }
    ranks[user] = rank
    revision += 1
  }

  /// Connections have ended.
  mutating func admit(with slots: ConnectionSlots) {
    guard !ranks.isEmpty else { return }
    let former = ranks.count
    ranks = ranks.filter { user, rank in !slots.admits(user, rank) }
    if ranks.count != former { revision += 1 }
  }

  /// A sentence for each of them.
  func problems(_ slots: ConnectionSlots) -> [String] {
    ranks.keys.sorted().map { user in
      let open = slots.count(of: user)
      let all = open < slots.limits.connectionsPerUser ? ", and \(slots.total) of all users" : ""
      return "connections of user \(user) are refused: \(open) of this user are open\(all)"
    }
  }
}
