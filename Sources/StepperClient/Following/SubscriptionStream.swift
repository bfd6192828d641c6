package import StepperCore
package import Varlink

/// The outcome of one wait of a subscription's reader.
package enum SubscriptionStep<Element: Sendable>: Sendable {
  case element(Element)
  /// The connection was lost or could not be opened; there will be another attempt. Reported again whenever the
  /// reason changes, and only for a subscription that reads on demand.
  case interrupted(StepperClientError)
  /// The connection is open again. Only for a subscription that reads on demand.
  case resumed
  /// The reader's deadline has passed.
  case timedOut
  /// The subscription has ended; with the reason, unless it was cancelled.
  case finished(StepperClientError?)
}

/// When a subscription connects and reads.
package enum SubscriptionReading: Hashable, Sendable {
  /// All the time: elements wait in the program, as ``PendingReplies``.
  case ahead
  /// Only while a reader waits: elements wait in the daemon.
  case onDemand
}

/// A subscription on its connection, as a value without socket, clock and threads: it takes replies, and gives
/// elements to one reader.
///
/// A call with `more` occupies its connection until its last reply, so every subscription has a connection of its
/// own.
package struct SubscriptionStream<Pending: PendingReplies, Waiter: Sendable>: ConnectionMachine {
  package typealias Outcome = SubscriptionStep<Pending.Element>

  package var connection: VarlinkClientConnection?
  private(set) var pending: Pending
  private var machine: SubscriptionMachine
  private let reading: SubscriptionReading
  private var reader: (waiter: Waiter, deadline: Instant?)?
  /// The reason why there is no connection, as last reported to the reader; nil: there is a connection.
  private var interruption: StepperClientError?
  private var ended: [(waiter: Waiter, outcome: Outcome)] = []

  package init(
    _ pending: Pending, reading: SubscriptionReading, _ policy: SubscriptionPolicy = SubscriptionPolicy()
  ) {
    (self.pending, self.reading) = (pending, reading)
    machine = SubscriptionMachine(policy)
  }

  /// Gives `waiter` the next outcome, or `timedOut` at `deadline`. There is one waiter at a time.
  package mutating func wait(_ waiter: Waiter, until deadline: Instant?, at now: Instant) {
    end(.timedOut)
    reader = (waiter, deadline)
    if machine.state != .finished(nil), let element = pending.take() { return end(.element(element)) }
    if case .finished(let error) = machine.state { return end(.finished(error)) }
    machine.continued(at: now)
    takeReplies(at: now)
  }

  /// Finishes the subscription: the connection is closed and pending elements are dropped.
  mutating func cancel(at now: Instant) { failed(.cancelled, at: now) }

  private mutating func end(_ outcome: Outcome) {
    guard let reader else { return }
    ended.append((reader.waiter, outcome))
    self.reader = nil
  }

  package mutating func takeEndedWaits() -> [(waiter: Waiter, outcome: Outcome)] {
    defer { ended = [] }
    return ended
  }
}

extension SubscriptionStream {
  private var isWanted: Bool { reading == .ahead || reader != nil }

  package var wish: ConnectionWish {
    switch machine.state {
    case .finished: .over
    case _ where !isWanted: .pause
    case .disconnected, .reading: .open
    case .waiting: .closed
    }
  }

  package var deadline: Instant? {
    let machineDeadline: Instant? =
      switch machine.state {
      case .reading(let until): until
      case .waiting(let until): until
      case .disconnected, .finished: nil
      }
    return .earliest(machineDeadline, reader?.deadline)
  }

  package mutating func opened(at now: Instant) {
    do throws(StepperClientError) {
      let call = try VarlinkCall.of(Pending.Method.self, pending.parameters)
      try call.checkLength()
      connection?.send(call)
    } catch {
      failed(error, at: now)
    }
  }

  package mutating func takeReplies(at now: Instant) {
    do throws(StepperClientError) {
      while isWanted, let reply = try nextReply() {
        let results = try reply.results(of: Pending.Method.self)
        machine.received(at: now)
        pending.add(results)
        if interruption != nil {
          interruption = nil
          end(.resumed)
        } else if reader != nil, let element = pending.take() {
          end(.element(element))
        }
        if !reply.continues { throw .disconnected }
      }
    } catch {
      failed(error, at: now)
    }
  }

  private mutating func nextReply() throws(StepperClientError) -> VarlinkReply? {
    do throws(VarlinkMessageError) {
      return try connection?.nextReply()?.reply
    } catch {
      throw .protocolViolation(error.reason)
    }
  }

  package mutating func advance(to now: Instant) {
    if isWanted { expire(at: now) }
    if let deadline = reader?.deadline, deadline <= now { end(.timedOut) }
  }

  private mutating func expire(at now: Instant) {
    if case .reading(let until?) = machine.state, until <= now {
      failed(.timedOut(Pending.Method.name, after: machine.policy.timeout), at: now)
    }
    machine.waited(until: now)
    machine.attempted(at: now)
  }

  package mutating func failed(_ error: StepperClientError, at now: Instant) {
    connection = nil
    let isAdapted = pending.adapt(to: error)
    machine.failed(error, isAdapted: isAdapted, at: now)
    if case .finished(let error) = machine.state {
      end(.finished(error))
    } else if reading == .onDemand, reader != nil,
      interruption.map({ !isAdapted && $0.message != error.message }) ?? true
    {
      interruption = error
      end(.interrupted(error))
    }
  }
}
