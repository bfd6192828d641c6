internal import Glibc
package import StepperCore
package import Varlink

/// The use of one connection to the daemon, as a value without socket, clock and threads: the calls of a client, or
/// one subscription.
///
/// A ``MachineConnection`` opens and closes the socket according to ``wish``, moves the bytes of ``connection``, and
/// reports what happened together with the time.
package protocol ConnectionMachine<Waiter, Outcome>: Sendable {
  /// Represents a thread or task that waits.
  associatedtype Waiter: Sendable
  /// The value that a waiting thread or task gets.
  associatedtype Outcome: Sendable

  /// The protocol on the open connection. It is nil while there is none; the machine sets it to nil to have the
  /// socket closed.
  var connection: VarlinkClientConnection? { get set }
  /// What to do about the socket.
  var wish: ConnectionWish { get }
  /// When ``advance(to:)`` has to be called at the latest, if nothing else happens.
  var deadline: Instant? { get }

  /// A new ``connection`` is open.
  mutating func opened(at now: Instant)
  /// Takes the replies that ``connection`` has.
  mutating func takeReplies(at now: Instant)
  /// Does what is due at `now`, and gives ``connection`` the calls that it has room for.
  mutating func advance(to now: Instant)
  /// The connection was lost, or could not be opened.
  mutating func failed(_ error: StepperClientError, at now: Instant)
  /// The waits that ended since the last call, in order.
  mutating func takeEndedWaits() -> [(waiter: Waiter, outcome: Outcome)]
}

/// What a ``ConnectionMachine`` wants of its socket.
package enum ConnectionWish: Hashable, Sendable {
  /// An open connection that is read from.
  case open
  /// Nothing: an open connection stays open, and neither the connection nor the deadline is served.
  case pause
  /// A closed connection.
  case closed
  /// A closed connection, for good.
  case over
}

extension Instant {
  /// The present time of `CLOCK_MONOTONIC`.
  static var now: Instant {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
