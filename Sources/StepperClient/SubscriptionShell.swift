internal import Varlink

/// Performs what a ``SubscriptionMachine`` wants, on the one thread that calls it.
final class SubscriptionShell<Method: FollowedMethod> {
  typealias Instant = SuspendingClock.Instant

  /// What became of one step.
  enum Event {
    /// A reply is here.
    case received(Method.Reply)
    /// The connection was lost or could not be made; there will be another attempt.
    case interrupted(StepperClientError)
    /// Nothing that a reader wants to know, or the caller's deadline came.
    case nothing
    /// It is over.
    case finished(StepperClientError?)
  }

  private(set) var machine: SubscriptionMachine<Method>
  private let addresses: [StepperAddress]
  private let timeout: Duration
  private let wakeup: Wakeup
  private var connection: ClientConnection?

  /// Signalling `wakeup` finishes it.
  init(machine: SubscriptionMachine<Method>, addresses: [StepperAddress], timeout: Duration, wakeup: Wakeup) {
    self.machine = machine
    self.addresses = addresses
    self.timeout = timeout
    self.wakeup = wakeup
  }

  /// Performs one action, which ends at `deadline` at the latest unless it is connecting.
  func step(until deadline: Instant?) -> Event {
    do throws(StepperClientError) {
      switch machine.next {
      case .connect(let parameters):
        try connect(parameters)
        return .nothing
      case .read(let limit):
        return try read(until: limit, orReturnAt: deadline)
      case .wait(let until):
        let isSignalled = wakeup.isSignalled(until: deadline.map { min($0, until) } ?? until)
        if isSignalled { throw .cancelled }
        machine.waited(until: .now)
        return .nothing
      case .finish(let error):
        connection = nil
        return .finished(error)
      }
    } catch {
      connection = nil
      machine.failed(error, at: .now)
      if case .finished(let error) = machine.state { return .finished(error) }
      return .interrupted(error)
    }
  }

  private func connect(_ parameters: Method.Parameters) throws(StepperClientError) {
    let deadline = Instant.now.advanced(by: timeout)
    let connection = try ClientConnection(to: addresses, until: deadline, orWoken: wakeup)
    let call: VarlinkCall
    do {
      call = try VarlinkCall(Method.self, parameters)
    } catch {
      throw StepperClientError(.invalidParameter, error.reason)
    }
    try connection.send(call, until: deadline, orWoken: wakeup)
    self.connection = connection
    machine.subscribed(at: .now)
  }

  private func read(until limit: Instant?, orReturnAt deadline: Instant?) throws(StepperClientError) -> Event
  {
    guard let connection else { throw .disconnected }
    let earliest = [limit, deadline].compactMap { $0 }.min()
    guard let reply = try connection.receive(until: earliest, orWoken: wakeup) else {
      if let limit, limit <= .now { throw .timedOut(Method.name, after: timeout) }
      return .nothing
    }
    let results = try reply.results(of: Method.self)
    machine.received(results)
    if !reply.continues {
      self.connection = nil
      machine.failed(.disconnected, at: .now)
    }
    return .received(results)
  }
}

extension SuspendingClock.Instant {
  static var now: Self { SuspendingClock.now }
}
