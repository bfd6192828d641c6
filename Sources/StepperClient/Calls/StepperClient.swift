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
/// are answered in their order. The daemon takes that connection as the holder of the buttons that `press` presses and of
/// the lights that `setLight` sets: it releases them with ``close()``, when the client goes away and when the program
/// ends.
///
/// A call may take ``timeout`` from the moment it is made. A call that times out or whose task is cancelled is withdrawn
/// alone: it is not sent any more, or its reply is dropped when it comes, and the connection stays with its buttons,
/// lights and other calls. Only a connection on which a call is still unanswered after twice ``timeout`` is closed.
///
/// One thread serves all connections of a client. It starts with the first call or subscription and ends when the
/// client goes away.
public final class StepperClient: Sendable {
  /// The sockets that are tried, in this order.
  public let addresses: [StepperAddress]
  /// How long a call may take from the moment it is made, connecting and waiting behind other calls included.
  public let timeout: Duration
  /// Whether the daemon lets it do what every client may and no more, whatever its user may do.
  public let isRestricted: Bool

  let calls: CallConnection
  let thread: ClientThread

  /// A client of the daemon at `address` (a path, or `unix:` and a path); defaults to the address of
  /// ``StepperAddress``. It connects with the first call. `isRestricted` is for programs that pass on what others ask: see
  /// ``isRestricted``.
  public init(address: String? = nil, timeout: Duration = .seconds(5), isRestricted: Bool = false) {
    addresses = StepperAddress.candidates(explicit: address)
    (self.timeout, self.isRestricted) = (timeout, isRestricted)
    calls = CallConnection(CallMachine(timeout: timeout), to: addresses, isRestricted: isRestricted)
    thread = ClientThread(serving: calls)
  }

  deinit { thread.stop() }
}
