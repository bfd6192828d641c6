package import StepperCore
package import Varlink

/// The calls of a client on their connection, as a value without socket, clock and threads.
///
/// Calls are written in the order in which they were made, without waiting for the replies to earlier ones, and
/// Varlink answers them in that order. Each call has its own deadline, which starts when it is made. A call that is
/// cancelled or times out is withdrawn alone: it is never written, or its reply is dropped when it comes. Calls whose
/// effect lasts as long as the connection (those for a provided device) are an exception: if one is not answered in
/// time, the connection is closed. The daemon may still perform such a call later; only closing the connection makes
/// sure that the device is detached.
package struct CallMachine<Waiter: Sendable>: ConnectionMachine {
  /// A reply; nil when the time of ``stay(_:until:at:)`` is over.
  package typealias Outcome = Result<VarlinkReply?, StepperClientError>

  /// Names a call for as long as its machine exists.
  package struct ID: Hashable, Sendable {
    fileprivate var number: UInt64
  }

  private struct Call {
    let id: ID
    let call: VarlinkCall
    let deadline: Instant
    /// nil: the call was withdrawn.
    var waiter: Waiter?
    /// Whether the connection is closed when this call is not answered in time.
    let endsConnection: Bool
  }

  private struct Stay {
    let waiter: Waiter
    let deadline: Instant?

    func isOver(at now: Instant) -> Bool { deadline.map { $0 <= now } ?? false }
  }

  /// The number of unsent bytes from which on further calls stay in the queue, where they can be withdrawn.
  static var outputLimit: Int { 65_536 }

  package var connection: VarlinkClientConnection?
  private let timeout: Duration
  private var lastID = ID(number: 0)
  /// Calls that are not on a connection yet.
  private var queued: [Call] = []
  /// Calls on the connection that are not answered, the oldest first; the next reply belongs to the first.
  private var sent: [Call] = []
  private var stays: [Stay] = []
  private var ended: [(waiter: Waiter, outcome: Outcome)] = []

  /// Each call times out after `timeout`.
  package init(timeout: Duration) { self.timeout = timeout }

  /// Makes a call; `waiter` gets its outcome. With `endsConnection` the connection is closed if the call is not
  /// answered in time.
  @discardableResult
  package mutating func make(
    _ call: VarlinkCall, _ waiter: Waiter, at now: Instant, endsConnection: Bool = false
  ) -> ID {
    lastID.number += 1
    do throws(StepperClientError) { try call.checkLength() } catch {
      ended.append((waiter, .failure(error)))
      return lastID
    }
    queued.append(
      Call(
        id: lastID, call: call, deadline: now + timeout, waiter: waiter, endsConnection: endsConnection))
    return lastID
  }

  /// Ends the wait for a call with `cancelled`. Ignored if it has ended.
  mutating func withdraw(_ id: ID) {
    if let index = queued.firstIndex(where: { $0.id == id }) {
      end(queued.remove(at: index), .failure(.cancelled))
    } else if let index = sent.firstIndex(where: { $0.id == id }) {
      abandon(index, .cancelled)
    }
  }

  /// Waits until `deadline`: `waiter` gets the loss of the connection, or nil if the connection is still open then.
  package mutating func stay(_ waiter: Waiter, until deadline: Instant?) {
    guard connection != nil else { return ended.append((waiter, .failure(.disconnected))) }
    stays.append(Stay(waiter: waiter, deadline: deadline))
  }

  /// Closes the connection; every wait ends with `disconnected`.
  mutating func close() {
    failQueued(.closed)
    failConnection(.closed)
  }
}

extension CallMachine {
  package var wish: ConnectionWish { connection == nil && queued.isEmpty ? .closed : .open }

  /// When the connection counts as dead: one more timeout after the deadline of the oldest call, or at the deadline
  /// of a call with `endsConnection`, even if the caller stopped waiting before. The extra timeout keeps the
  /// connection, with its buttons and lights, when the daemon is slow once.
  private var limit: Instant? {
    .earliest(sent.first.map { $0.deadline + timeout }, sent.first(where: \.endsConnection)?.deadline)
  }

  // Deadlines are in the order of the calls.
  package var deadline: Instant? {
    let earliest = [queued.first, sent.first { $0.waiter != nil }].compactMap { $0?.deadline }
    return (earliest + stays.compactMap(\.deadline) + [limit].compactMap(\.self)).min()
  }

  package mutating func opened(at now: Instant) {}

  package mutating func takeReplies(at now: Instant) {
    do throws(VarlinkMessageError) {
      while let (_, reply) = try connection?.nextReply() {
        guard !sent.isEmpty else { return }
        end(sent.removeFirst(), .success(reply))
      }
    } catch {
      failConnection(.protocolViolation(error.reason))
    }
  }

  package mutating func advance(to now: Instant) {
    expire(at: now)
    while !queued.isEmpty, let pending = connection?.pendingOutputCount, pending < Self.outputLimit {
      let call = queued.removeFirst()
      connection?.send(call.call)
      sent.append(call)
    }
  }

  private mutating func expire(at now: Instant) {
    while let call = queued.first, call.deadline <= now {
      end(queued.removeFirst(), .failure(.timedOut(call.call.method, after: timeout)))
    }
    for index in sent.indices where sent[index].waiter != nil && sent[index].deadline <= now {
      abandon(index, .timedOut(sent[index].call.method, after: timeout))
    }
    for stay in stays where stay.isOver(at: now) { ended.append((stay.waiter, .success(nil))) }
    stays.removeAll { $0.isOver(at: now) }
    if let limit, limit <= now {
      let isOld = sent.first.map { $0.deadline + timeout <= now } ?? false
      failConnection(.unanswered(after: isOld ? timeout * 2 : timeout))
    }
  }

  /// Calls that were not written are made on the next connection, unless there is none.
  package mutating func failed(_ error: StepperClientError, at now: Instant) {
    if connection == nil { failQueued(error) }
    failConnection(error)
  }

  private mutating func failQueued(_ error: StepperClientError) {
    for call in queued { end(call, .failure(error)) }
    queued = []
  }

  private mutating func failConnection(_ error: StepperClientError) {
    connection = nil
    for call in sent { end(call, .failure(error)) }
    sent = []
    for stay in stays { ended.append((stay.waiter, .failure(error))) }
    stays = []
  }

  private mutating func abandon(_ index: Int, _ error: StepperClientError) {
    end(sent[index], .failure(error))
    sent[index].waiter = nil
  }

  private mutating func end(_ call: Call, _ outcome: Outcome) {
    if let waiter = call.waiter { ended.append((waiter, outcome)) }
  }

  package mutating func takeEndedWaits() -> [(waiter: Waiter, outcome: Outcome)] {
    defer { ended = [] }
    return ended
  }
}
