/// The sockets that a client tries in order until it has connected to one. From then on it uses only that daemon: if
/// the daemon restarts, the client waits for it, and no other daemon takes its place.
///
/// A program shares one choice among all its connections: a handle, the sequence of a state or a value of one daemon
/// means nothing to another.
package final class AddressChoice: Sendable {
  private let remaining: Locked<[StepperAddress]>

  package init(_ addresses: [StepperAddress]) { remaining = Locked(addresses) }

  /// Tries the addresses of ``StepperAddress/candidates(explicit:environment:)``.
  package convenience init(explicit address: String?) {
    self.init(StepperAddress.candidates(explicit: address))
  }

  /// The sockets to try at the next connection.
  var addresses: [StepperAddress] { remaining.withLock { $0 } }

  /// Keeps to `address`, to which a connection is open.
  func keep(_ address: StepperAddress) { remaining.withLock { $0 = [address] } }
}
