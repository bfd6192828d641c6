package import StepperCore
internal import StepperInterfaces
internal import Varlink

/// A machine with the socket that its bytes pass through. No operation waits: the caller waits for what
/// ``interest(at:)`` names, with `poll` or a loop, and then calls ``serve(at:)``.
package struct MachineConnection<Machine: ConnectionMachine>: ~Copyable {
  package var machine: Machine
  private let addresses: [StepperAddress]
  private let replyLimit: Int
  private let isRestricted: Bool
  private var socket: ClientSocket?
  /// Counts the sockets that were opened, so that one is distinguished from the next, which may have its number.
  private var socketCount = 0

  /// The time between attempts while the daemon has no room for another connection.
  private static var pause: Duration { .milliseconds(10) }

  /// Connects to the first of `addresses` that is listened at. A reply of more than `replyLimit` bytes ends the
  /// connection. With `isRestricted` the daemon lets it do what every client may, and no more.
  package init(
    _ machine: Machine, to addresses: [StepperAddress], replyLimit: Int = 16 << 20, isRestricted: Bool = false
  ) {
    (self.machine, self.addresses, self.replyLimit) = (machine, addresses, replyLimit)
    self.isRestricted = isRestricted
  }

  /// Does everything that can be done without waiting.
  ///
  /// What arrived comes before what is due, and both before new calls: a reply that came in time counts even if it is
  /// read late, and no call is written to a connection that the daemon has closed. One read at most, so that no
  /// connection keeps the others waiting.
  package mutating func serve(at now: Instant) {
    if machine.connection == nil { socket = nil }
    read(at: now)
    machine.advance(to: now)
    if machine.wish == .open, machine.connection == nil {
      socket = nil
      connect(at: now)
    }
    write(at: now)
    if machine.connection == nil { socket = nil }
  }

  /// Does the same for a connection that is open, and neither opens nor closes a socket.
  mutating func serveOpen(at now: Instant) {
    guard machine.connection != nil, socket != nil else { return }
    read(at: now)
    machine.advance(to: now)
    write(at: now)
  }

  private mutating func read(at now: Instant) {
    guard machine.wish == .open, machine.connection != nil else { return }
    switch socket?.receive() {
    case .done(let bytes)?:
      machine.connection?.receive(bytes)
      machine.takeReplies(at: now)
    case .failed(let error)?: machine.failed(error, at: now)
    case .notReady?, nil: break
    }
  }

  private mutating func connect(at now: Instant) {
    do throws(ClientSocket.ConnectFailure) {
      socket = try ClientSocket(to: addresses)
      socketCount += 1
      var connection = VarlinkClientConnection(replyLimit: replyLimit)
      if isRestricted { connection.send(VarlinkCall(ManagerInterface.Restrict.name, mode: .oneway)) }
      machine.connection = connection
      machine.opened(at: now)
      machine.advance(to: now)
    } catch {
      if !error.isTemporary { machine.failed(error.error, at: now) }
    }
  }

  private mutating func write(at now: Instant) {
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
  package mutating func interest(at now: Instant) -> ConnectionInterest? {
    switch machine.wish {
    case .over: return nil
    case .pause: return ConnectionInterest()
    case .closed, .open: break
    }
    let isConnecting = machine.wish == .open && machine.connection == nil
    return ConnectionInterest(
      socket: socket?.rawValue, socketNumber: socketCount,
      isWriting: (machine.connection?.pendingOutputCount ?? 0) > 0,
      deadline: .earliest(machine.deadline, isConnecting ? now + Self.pause : nil))
  }
}

/// What a ``MachineConnection`` waits for.
package struct ConnectionInterest: Hashable, Sendable {
  /// The socket to read from, if there is one.
  package var socket: CInt?
  /// How many sockets the connection has had with this one: each has another number.
  package var socketNumber = 0
  /// Whether bytes wait for room in the socket.
  package var isWriting = false
  package var deadline: Instant?

  /// Nothing is waited for.
  package init() {}

  fileprivate init(socket: CInt?, socketNumber: Int, isWriting: Bool, deadline: Instant?) {
    (self.socket, self.socketNumber, self.isWriting) = (socket, socketNumber, isWriting)
    self.deadline = deadline
  }
}
