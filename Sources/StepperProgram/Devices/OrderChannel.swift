package import StepperClient
package import StepperCore
package import StepperInterfaces
package import StepperLinux

/// The orders for one device of the program, whichever handle it has.
///
/// Each device has a connection of its own. A common one would have to be reopened for each new device, and its first reply would contain
/// all outputs of the others once more, including motors that a hand has moved since.
package final class OrderChannel {
  private let loop: EventLoop
  private let choice: AddressChoice
  private let take: (ProviderInterface.Order) -> Void
  private var channel: DaemonChannel<DaemonFollower<ProviderInterface.Subscribe>>?
  private var handle: String?
  private var isLost = false

  /// `take` is called with each order.
  package init(
    on loop: EventLoop, to choice: AddressChoice, take: @escaping (ProviderInterface.Order) -> Void
  ) {
    (self.loop, self.choice, self.take) = (loop, choice, take)
  }

  /// Follows the orders for `handle` from now on; nil: there is no device. Returns whether the connection for these orders was lost since
  /// the last call, so that the daemon may no longer have the device. The orders are requested again, with pauses.
  package func follow(_ handle: String?) -> Bool {
    guard handle != self.handle else {
      defer { isLost = false }
      return isLost
    }
    (isLost, self.handle) = (false, handle)
    channel = handle.map { handle in
      DaemonChannel(
        on: loop, to: choice, following: ProviderInterface.Subscribe.self, .init(handles: [handle])
      ) { [weak self] event in
        switch event {
        case .reply(let reply): for order in reply.orders { self?.take(order) }
        // Orders were missed, and a hand may have moved something: the daemon must send all orders again.
        case .lost, .regained: self?.isLost = true
        }
      }
    }
    return false
  }

  package func advance(to now: Instant) { channel?.advance(to: now) }
  package var deadline: Instant? { channel?.deadline }
}
