internal import StepperCore

/// A connection as the thread that serves it sees it.
protocol ServedConnection: AnyObject, Sendable {
  /// Does everything that can be done without waiting, and returns what to wait for; nil when the connection is over.
  func serve() -> ConnectionInterest?
}

/// A machine on its connection, protected by a lock.
///
/// Threads and tasks use the machine through ``perform(_:)`` and ``make(_:)``; only the client's thread opens and
/// closes the socket.
final class ClientConnection<Machine: ConnectionMachine, Value>: ServedConnection
where Machine.Waiter == Promise<Value>, Machine.Outcome == Value {
  private let connection: Locked<MachineConnection<Machine>>

  init(_ machine: Machine, to choice: AddressChoice, isRestricted: Bool = false) {
    connection = Locked(MachineConnection(machine, to: choice, isRestricted: isRestricted))
  }

  /// Changes the machine, and then resumes the waiters whose wait the change has ended.
  @discardableResult
  func perform<Result: Sendable>(_ change: (inout Machine, Instant) -> Result) -> Result {
    update { connection in change(&connection.machine, .now) }
  }

  /// Changes the machine and writes what an open connection accepts, so that a call does not wait for the client's
  /// thread.
  func make<Result: Sendable>(_ change: (inout Machine, Instant) -> Result) -> Result {
    update { connection in
      let now = Instant.now
      let result = change(&connection.machine, now)
      connection.serveOpen(at: now)
      return result
    }
  }

  func serve() -> ConnectionInterest? {
    update { connection in
      let now = Instant.now
      connection.serve(at: now)
      return connection.interest(at: now)
    }
  }

  private func update<Result: Sendable>(_ change: (inout MachineConnection<Machine>) -> Result) -> Result {
    let (result, ended) = connection.withLock { connection in
      (change(&connection), connection.machine.takeEndedWaits())
    }
    for (promise, value) in ended { promise.fulfil(value) }
    return result
  }
}
