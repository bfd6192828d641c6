package import StepperCore
internal import StepperInterfaces
internal import Varlink

/// A machine together with its socket. No operation waits: the caller waits for what ``interest(at:)`` names, with
/// `poll` or an event loop, and then calls ``serve(at:)``.
package struct MachineConnection<Machine: ConnectionMachine>: ~Copyable {
  package var machine: Machine
  private let choice: AddressChoice
  private let replyLimit: Int
  private let isRestricted: Bool
  private var socket: ClientSocket?
  /// Counts the sockets that were opened, to tell a socket from an earlier one with the same descriptor number.
  private var socketCount = 0

  /// The time between attempts while the daemon has no room for another connection.
  private static var pause: Duration { .milliseconds(10) }

  /// Connects to the first address of `choice` on which a program listens; from then on this and all other users of
  /// `choice` connect only to that address. A reply of more than `replyLimit` bytes ends the connection. With
  /// `isRestricted` the daemon grants only the rights that every client has.
  package init(
    _ machine: Machine, to choice: AddressChoice, replyLimit: Int = 16 << 20, isRestricted: Bool = false
  ) {
    (self.machine, self.choice, self.replyLimit) = (machine, choice, replyLimit)
    self.isRestricted = isRestricted
  }

  /// Does everything that can be done without waiting.
  ///
  /// Arrived replies are handled before deadlines, and both before new calls: a reply that came in time counts even
  /// if it is read late, and no call is written to a connection that the daemon has closed. There is at most one
  /// read, so that no connection keeps the others waiting.
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

  /// Does the same for an open connection, but neither opens nor closes a socket.
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
      let opened = try ClientSocket(to: choice.addresses)
      choice.keep(opened.address)
      socket = consume opened
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

  /// What to wait for; nil when the connection is over. Changes nothing; it is mutating because a noncopyable socket
  /// in an optional can only be read in place.
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
  /// The number of sockets that the connection has had, including this one, so that each has its own number.
  package var socketNumber = 0
  /// Whether bytes wait for room in the socket.
  package var isWriting = false
  package var deadline: Instant?

  /// Waits for nothing.
  package init() {}

  fileprivate init(socket: CInt?, socketNumber: Int, isWriting: Bool, deadline: Instant?) {
    (self.socket, self.socketNumber, self.isWriting) = (socket, socketNumber, isWriting)
    self.deadline = deadline
  }
}
