/// A program's way to the controls and devices of a `stepperd`.
///
/// ```swift
/// import StepperClient
///
/// let client = StepperClient()
/// for try await state in client.changes(of: "volume") {
///   print(state.text ?? "unset")
/// }
/// ```
///
/// Every method has two forms: `async`, for tasks, and blocking, for programs without concurrency. The compiler takes
/// the one that fits where it is called.
///
/// ```swift
/// let state = try client.step("volume", by: 3).state    // blocks
/// let state = try await client.step("volume", by: 3).state    // suspends
/// ```
///
/// The client connects with the first call, and again with the first call after the connection was lost. Calls may be
/// made from several threads and tasks at once: they share one connection, are sent without waiting for each other, and
/// are answered in their order. For the daemon, that connection holds the buttons that `press` presses and the lights
/// that `setLight` sets: they are released with ``close()``, when the client is released and when the program ends.
///
/// A call may take ``timeout`` from the moment it is made. A call that times out or whose task is cancelled is withdrawn
/// alone: it is not sent any more, or its reply is dropped when it comes, and the connection stays with its buttons,
/// lights and other calls. Only a connection on which a call is still unanswered after twice ``timeout`` is closed.
///
/// One thread serves all connections of a client. It starts with the first call or subscription and ends when the
/// client is released.
public final class StepperClient: Sendable {
  /// The sockets to try, in this order. The client keeps to the first one that it connects to, for calls and
  /// subscriptions.
  public let addresses: [StepperAddress]
  /// How long a call may take from the moment it is made, including the time to connect and to wait behind other
  /// calls.
  public let timeout: Duration
  /// Whether the daemon grants this client only the rights that every client has, whatever rights its user has.
  public let isRestricted: Bool

  let choice: AddressChoice
  let calls: CallConnection
  let thread: ClientThread

  /// A client of the daemon at `address` (a path, or `unix:` and a path); defaults to the address of
  /// ``StepperAddress``. It connects with the first call. Set `isRestricted` in programs that pass on the requests of
  /// others: see ``isRestricted``.
  public convenience init(
    address: String? = nil, timeout: Duration = .seconds(5), isRestricted: Bool = false
  ) {
    self.init(
      addresses: StepperAddress.candidates(explicit: address), timeout: timeout, isRestricted: isRestricted)
  }

  /// A client of the same daemon as `other`, with a connection of its own.
  package convenience init(beside other: StepperClient, timeout: Duration) {
    self.init(
      addresses: other.addresses, sharing: other.choice, timeout: timeout, isRestricted: other.isRestricted)
  }

  init(
    addresses: [StepperAddress], sharing choice: AddressChoice? = nil, timeout: Duration = .seconds(5),
    isRestricted: Bool = false
  ) {
    self.addresses = addresses
    (self.timeout, self.isRestricted) = (timeout, isRestricted)
    self.choice = choice ?? AddressChoice(addresses)
    calls = CallConnection(CallMachine(timeout: timeout), to: self.choice, isRestricted: isRestricted)
    thread = ClientThread(serving: calls)
  }

  deinit { thread.stop() }
}
