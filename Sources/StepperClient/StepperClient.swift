internal import Synchronization
internal import Varlink

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
/// Every method comes twice: `async`, for tasks, and blocking, for programs without concurrency.
/// The compiler takes the one that fits where it is called.
///
/// ```swift
/// let state = try client.step("volume", by: 3).state    // blocks
/// let state = try await client.step("volume", by: 3).state    // suspends
/// ```
///
/// The daemon is connected to with the first call, and again when the connection was lost since the call
/// before. Calls of one client are made one after another on that one connection, which the daemon takes as
/// the holder of the buttons that `press` presses and of the lights that `setLight` sets: they are released with
/// ``close()``, when the client goes away and when the program ends. Every subscription has a connection of its own.
public final class StepperClient: Sendable {
  /// The sockets that are tried, in this order.
  public let addresses: [StepperAddress]
  /// How long a call may take, the connecting included.
  public let timeout: Duration

  private let connection = Mutex<ClientConnection?>(nil)

  /// A client of the daemon at `address` (a path, or `unix:` and a path), else of the one that is found as
  /// ``StepperAddress`` says. Nothing is connected yet.
  public init(address: String? = nil, timeout: Duration = .seconds(5)) {
    addresses = StepperAddress.candidates(explicit: address)
    self.timeout = timeout
  }

  /// Closes the connection, which releases the buttons and lights this client holds. The next call opens a new one.
  public func close() {
    connection.withLock { $0 = nil }
  }

  /// Calls `method` and waits for its reply, at most for ``timeout``. For methods this class does not have.
  public func call<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) throws(StepperClientError) -> Method.Reply {
    try call(method, parameters, orWoken: nil)
  }

  func call<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, orWoken wakeup: Wakeup?
  ) throws(StepperClientError) -> Method.Reply {
    let call: VarlinkCall
    do {
      call = try VarlinkCall(method, parameters)
    } catch {
      throw StepperClientError(.invalidParameter, error.reason)
    }
    let deadline = SuspendingClock.now.advanced(by: timeout)
    let reply = try connection.withLock { (slot) throws(StepperClientError) in
      let connection = try open(&slot, until: deadline, orWoken: wakeup)
      do throws(StepperClientError) {
        guard let reply = try connection.call(call, until: deadline, orWoken: wakeup) else {
          throw StepperClientError.timedOut(call.method, after: timeout)
        }
        return reply
      } catch {
        slot = nil
        throw error
      }
    }
    return try reply.results(of: method)
  }

  /// The open connection, or a new one if there is none or the daemon hung up.
  private func open(
    _ slot: inout ClientConnection?, until deadline: SuspendingClock.Instant, orWoken wakeup: Wakeup?
  ) throws(StepperClientError) -> ClientConnection {
    if let connection = slot, connection.isUsable { return connection }
    slot = nil
    let connection = try ClientConnection(to: addresses, until: deadline, orWoken: wakeup)
    slot = connection
    return connection
  }

  /// Waits, for example while a button is held, and throws `disconnected` if the daemon goes away meanwhile.
  ///
  /// Without `duration` it only returns by throwing. Calls on other threads wait until it returns.
  public func stayConnected(for duration: Duration? = nil) throws(StepperClientError) {
    let deadline = duration.map { SuspendingClock.now.advanced(by: $0) }
    try connection.withLock { (slot) throws(StepperClientError) in
      guard let connection = slot else { throw .disconnected }
      guard try connection.receive(until: deadline) == nil else {
        slot = nil
        throw .protocolViolation("a reply that belongs to no call")
      }
    }
  }
}

extension VarlinkReply {
  /// What `method` returned; throws the error that the daemon answered with.
  func results<Method: VarlinkMethod>(of method: Method.Type) throws(StepperClientError) -> Method.Reply {
    if let failure { throw StepperClientError(failure) }
    do {
      return try parameters.decode(Method.Reply.self)
    } catch {
      throw .protocolViolation(error.reason)
    }
  }
}
