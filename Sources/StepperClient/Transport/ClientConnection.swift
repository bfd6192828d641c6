internal import Glibc
internal import Varlink

/// A connection as the thread that serves it sees it.
protocol ServedConnection: AnyObject, Sendable {
  /// Does everything that can be done without waiting, and returns what to wait for; nil when it is over.
  func serve(connectingTo addresses: [StepperAddress]) -> Interest?
}

/// What the thread waits for on behalf of a connection.
struct Interest {
  /// A descriptor and the events of `poll`, if any.
  var polled: pollfd?
  var deadline: SuspendingClock.Instant?
}

/// A machine behind a lock, with the socket that the client's thread moves its bytes through.
///
/// Threads and tasks use the machine through ``perform(_:)``; only the client's thread touches the socket.
final class ClientConnection<Machine: ConnectionMachine, Value>: ServedConnection
where Machine.Waiter == Promise<Value>, Machine.Outcome == Value {
  fileprivate struct Contents: ~Copyable {
    var machine: Machine
    var socket: ClientSocket?
  }

  private let contents: Locked<Contents>

  init(_ machine: Machine) { contents = Locked(Contents(machine: machine)) }

  /// Changes the machine, and then ends the waits that this ended.
  @discardableResult
  func perform<Result: Sendable>(
    _ change: (inout Machine, SuspendingClock.Instant) -> Result
  ) -> Result {
    update { contents in change(&contents.machine, .now) }
  }

  func serve(connectingTo addresses: [StepperAddress]) -> Interest? {
    update { contents in
      contents.serve(connectingTo: addresses)
      return contents.interest()
    }
  }

  private func update<Result: Sendable>(_ change: (inout Contents) -> Result) -> Result {
    let (result, ended) = contents.withLock { contents in
      (change(&contents), contents.machine.takeEndedWaits())
    }
    for (promise, value) in ended { promise.fulfil(value) }
    return result
  }
}

extension ClientConnection.Contents {
  /// The time between attempts while the daemon has no room for another connection.
  private static var pause: Duration { .milliseconds(10) }

  /// What arrived comes before what is due, and both before new calls: a reply that came in time counts even if it is
  /// read late, and no call is written to a connection that the daemon has closed. One read at most, so that no
  /// connection keeps the others waiting.
  fileprivate mutating func serve(connectingTo addresses: [StepperAddress]) {
    let now = SuspendingClock.now
    if machine.connection == nil { socket = nil }
    read(at: now)
    machine.advance(to: now)
    if machine.wish == .open, machine.connection == nil {
      socket = nil
      connect(to: addresses, at: now)
    }
    write(at: now)
    if machine.connection == nil { socket = nil }
  }

  private mutating func read(at now: SuspendingClock.Instant) {
    guard machine.wish == .open, machine.connection != nil else { return }
    switch socket?.receive() {
    case .done(let bytes)?:
      machine.connection?.receive(bytes)
      machine.takeReplies(at: now)
    case .failed(let error)?: machine.failed(error, at: now)
    case .notReady?, nil: break
    }
  }

  private mutating func connect(to addresses: [StepperAddress], at now: SuspendingClock.Instant) {
    do throws(ClientSocket.ConnectFailure) {
      socket = try ClientSocket(to: addresses)
      machine.connection = VarlinkClientConnection()
      machine.opened(at: now)
      machine.advance(to: now)
    } catch {
      if !error.isTemporary { machine.failed(error.error, at: now) }
    }
  }

  private mutating func write(at now: SuspendingClock.Instant) {
    while let output = machine.connection?.output, !output.isEmpty {
      switch socket?.send(output) {
      case .done(let count)?:
        machine.connection?.didSend(count)
        machine.advance(to: now)
      case .failed(let error)?:
        // The daemon may have answered before it closed the connection.
        read(at: now)
        if machine.connection != nil { machine.failed(error, at: now) }
      case .notReady?, nil: return
      }
    }
  }

  /// What to wait for; nil when it is over. It changes nothing: a socket in an optional can only be looked at in place.
  fileprivate mutating func interest() -> Interest? {
    switch machine.wish {
    case .over: return nil
    case .pause: return Interest()
    case .closed, .open: break
    }
    let isConnecting = machine.wish == .open && machine.connection == nil
    let retry = isConnecting ? SuspendingClock.now.advanced(by: Self.pause) : nil
    var interest = Interest(deadline: [machine.deadline, retry].compactMap(\.self).min())
    if let descriptor = socket?.rawValue {
      let output = machine.connection?.pendingOutputCount ?? 0
      interest.polled = pollfd(
        fd: descriptor, events: Int16(POLLIN) | (output > 0 ? Int16(POLLOUT) : 0), revents: 0)
    }
    return interest
  }
}
