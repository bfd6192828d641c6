/// The limits of connections, in total and per user.
package struct ConnectionSlots {
  package let limits: Limits
  private var open = Tally<UInt32>()

  package struct Limits {
    package var connections = 128
    package var connectionsPerUser = 32
    /// The number of connections that are reserved for administrators, and how many of these are reserved for root.
    package var reservedForAdministrators = 8
    package var reservedForRoot = 4

    package init() {}
  }

  /// Determines which reserved connections a client may use.
  package enum Rank: Hashable, Sendable {
    case user, administrator, root
  }

  package init(_ limits: Limits = Limits()) { self.limits = limits }

  var total: Int { open.total }

  /// The number of open connections of `user`.
  func count(of user: UInt32) -> Int { open.share(of: user) }

  /// Whether `user` may open another connection: if it has fewer than its limit, and fewer than are free. `n` users
  /// that open as many as possible therefore get about 1/(n+1) of the connections each, and the rest remains for
  /// further users. (A dynamic threshold, as switches use for shared buffers.)
  func admits(_ user: UInt32, _ rank: Rank) -> Bool {
    let kept =
      switch rank {
      case .user: limits.reservedForAdministrators
      case .administrator: limits.reservedForRoot
      case .root: 0
      }
    let free = limits.connections - kept - open.total
    return count(of: user) < min(limits.connectionsPerUser, free)
  }

  mutating func add(_ user: UInt32) { open.add(1, for: user) }
  mutating func remove(_ user: UInt32) { open.add(-1, for: user) }
}
