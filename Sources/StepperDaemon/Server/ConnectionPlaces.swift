/// How many connections there may be, and whose.
package struct ConnectionPlaces {
  package let limits: Limits
  private var open = Tally<UInt32>()

  package struct Limits {
    package var connections = 128
    package var connectionsPerUser = 32
    /// Kept for administrators, and among those for root.
    package var keptForAdministrators = 8
    package var keptForRoot = 4

    package init() {}
  }

  /// Whose places somebody may take.
  package enum Rank: Hashable, Sendable {
    case user, administrator, root
  }

  package init(_ limits: Limits = Limits()) { self.limits = limits }

  var total: Int { open.total }

  /// How many connections of `user` are open.
  func count(of user: UInt32) -> Int { open.share(of: user) }

  /// Whether `user` may have one more: if it has less than its limit, and less than are free. So `n` users who take all
  /// they can get about 1/(n+1) of the places each, and the last ones stay for who comes later. (Switches share their
  /// buffers by such a dynamic threshold.)
  func admits(_ user: UInt32, _ rank: Rank) -> Bool {
    let kept =
      switch rank {
      case .user: limits.keptForAdministrators
      case .administrator: limits.keptForRoot
      case .root: 0
      }
    let free = limits.connections - kept - open.total
    return count(of: user) < min(limits.connectionsPerUser, free)
  }

  mutating func add(_ user: UInt32) { open.add(1, for: user) }
  mutating func remove(_ user: UInt32) { open.add(-1, for: user) }
}
