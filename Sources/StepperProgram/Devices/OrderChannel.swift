package import StepperClient
package import StepperCore
package import StepperInterfaces
package import StepperLinux

/// The orders for one device of the program, whatever handle it has.
///
/// Each device has a connection of its own: one for all would have to be opened anew with each device that comes, and its first
/// reply has all outputs of the others once more, also motors that a hand has moved since.
package final class OrderChannel {
  private let loop: EventLoop
  private let addresses: [StepperAddress]
  private let take: (ProviderInterface.Order) -> Void
  private var channel: DaemonChannel<DaemonFollower<ProviderInterface.Subscribe>>?
  private var handle: String?
  private var isLost = false

  /// `take` is given each order.
  package init(
    on loop: EventLoop, to addresses: [StepperAddress], take: @escaping (ProviderInterface.Order) -> Void
  ) {
    (self.loop, self.addresses, self.take) = (loop, addresses, take)
  }

  /// Follows the orders for `handle` from now on; nil: there is no device. Returns whether the orders of this device have ended
  /// since the last call, so that the daemon may not have it any more. They are asked for again, with pauses.
  package func follow(_ handle: String?) -> Bool {
    guard handle != self.handle else {
      defer { isLost = false }
      return isLost
    }
    (isLost, self.handle) = (false, handle)
    channel = handle.map { handle in
      DaemonChannel(
        on: loop, to: addresses, following: ProviderInterface.Subscribe.self, .init(handles: [handle])
      ) { [weak self] event in
        switch event {
        case .reply(let reply): for order in reply.orders { self?.take(order) }
        // What was ordered meanwhile, and what a hand has done since: the daemon is to order anew.
        case .lost, .regained: self?.isLost = true
        }
      }
    }
    return false
  }

  package func advance(to now: Instant) { channel?.advance(to: now) }
  package var deadline: Instant? { channel?.deadline }
}
