package import StepperClient
package import StepperCore
package import StepperInterfaces
package import StepperLinux

/// The orders for one device of the program, whatever handle it has.
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

  /// Follows the orders for `handle` from now on; nil: there is no device. Returns whether the orders of this device had ended,
  /// so that the daemon may not have it any more.
  package func follow(_ handle: String?) -> Bool {
    guard handle != self.handle || isLost else { return false }
    let hasLost = isLost && handle == self.handle
    (isLost, self.handle) = (false, handle)
    channel = handle.map { handle in
      DaemonChannel(
        on: loop, to: addresses, following: ProviderInterface.Subscribe.self, .init(handles: [handle])
      ) { [weak self] event in
        switch event {
        case .reply(let reply): for order in reply.orders { self?.take(order) }
        case .lost: self?.isLost = true
        case .regained: break
        }
      }
    }
    return hasLost
  }

  package func advance(to now: Instant) { channel?.advance(to: now) }
  package var deadline: Instant? { channel?.deadline }
}
