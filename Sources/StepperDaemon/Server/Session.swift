import StepperCore
package import StepperLinux
package import SystemPackage
import Varlink

/// A client: its socket, its Varlink connection, and the row of the replies to its call that is not answered at once.
package final class Session: Identifiable {
  package let id: Int64
  /// Who it is, and with which rights.
  package private(set) var peer: PeerCredentials

  private let socket: StreamConnection
  private var varlink: VarlinkServerConnection
  /// The row of the server's ``ReplySource`` that answers the present call.
  private(set) var row: Int?
  /// The reason for the end of the session; nil while it is open.
  private(set) var end: End?

  package enum End: Equatable {
    /// The client closed the connection.
    case finished
    case violated(reason: String)
    /// A reply of the service could not be encoded.
    case misanswered(reason: String)
    case failed(Errno)
    /// The memory of all clients exceeded its limit and this session used the most; `unsent` is the number of its
    /// unsent bytes.
    case outgrown(unsent: Int)
  }

  init(id: Int64, socket: consuming StreamConnection) {
    self.id = id
    peer = socket.peer
    self.socket = socket
    varlink = VarlinkServerConnection()
  }

  var rawDescriptor: CInt { socket.rawDescriptor }

  /// The readiness that the loop watches for.
  var watchedInterest: EventLoop.Readiness = .readable
  /// Whether it has attached a device: its calls are answered before inputs are applied.
  var isProvider = false
  /// Whether the client has closed the connection, so that nobody reads replies.
  private(set) var isAbandoned = false
  /// Whether it is among the sessions with work.
  var isQueued = false
  /// Its part of the sum of the memory of all clients.
  var countedMemory = 0

  /// The readiness that the socket must be watched for.
  var interest: EventLoop.Readiness {
    EventLoop.Readiness(readable: varlink.wantsInput, writable: varlink.pendingOutputCount > 0)
  }

  /// Whether a complete call has been received that can be answered now.
  var hasCall: Bool { end == nil && varlink.hasCall }

  /// The duration of its last slice.
  var lastTurn = Duration.zero
  /// The duration of slices that were not charged yet.
  var uncharged = Duration.zero
  /// An estimate: longer calls take longer, and a client repeats its calls.
  private static let timePerByte = Duration.nanoseconds(100)

  /// The expected duration of the next one, if known.
  var expectedTurn: Duration { hasCall ? max(Self.timePerByte * varlink.callCount, lastTurn) : lastTurn }

  /// The session as a candidate for the next slice.
  var candidate: ClientTurns.Candidate {
    ClientTurns.Candidate(user: peer.userID, session: id, expected: expectedTurn)
  }

  /// The time of its next reply from `source`; nil while earlier output is unsent.
  func due(of source: any ReplySource) -> Instant? {
    guard end == nil, let row, varlink.pendingOutputCount == 0 else { return nil }
    return source.due(row)
  }

  /// Bytes of memory for received calls and unsent replies.
  var memory: Int { varlink.memory }
  var unsentCount: Int { varlink.pendingOutputCount }

  /// Has the rights of every client from now on.
  func restrict() { peer.isRestricted = true }

  // MARK: Input

  /// Reads once from the socket, with `buffer` in between; returns the number of bytes.
  func read(with buffer: inout [UInt8]) -> Int {
    guard end == nil, varlink.wantsInput else { return 0 }
    do throws(Errno) {
      switch try socket.receive(into: &buffer) {
      case .bytes(let count):
        varlink.receive(buffer[..<count])
        return count
      case .end: varlink.receiveEnd()
      case .nothingYet: break
      }
    } catch {
      end = .failed(error)
    }
    return 0
  }

  /// Performs the next call; returns whether it has been replied to; nil if there was no call.
  func answer(
    _ service: VarlinkService, with answer: (VarlinkCall, Session) throws(VarlinkFailure) -> Answer
  ) -> Bool? {
    guard end == nil, let call = varlink.nextCall() else { return nil }
    if let reply = service.answer(call) {
      varlink.send(reply)
    } else {
      do throws(VarlinkFailure) {
        switch try answer(call, self) {
        case .reply(let results): varlink.reply(results)
        case .written(let write): varlink.reply(writing: write)
        case .replies(let all):
          for (index, results) in all.enumerated() {
            varlink.reply(results, continues: index < all.count - 1)
          }
        case .stream(let row):
          self.row = row
          return false
        }
      } catch {
        varlink.fail(error)
      }
    }
    return call.mode != .oneway
  }

  // MARK: Output

  /// Sends the reply of its row that is due at `now`. Returns the time of the input that caused it, if any.
  func sendReply(of source: any ReplySource, at now: Instant) -> Instant? {
    row.flatMap { source.sendReply($0, on: &varlink, at: now) }
  }

  /// The row, after its last reply or the end of the connection; returned once.
  func takeEndedRow() -> Int? {
    guard let row, end != nil || !varlink.hasUnanswered else { return nil }
    self.row = nil
    return row
  }

  /// Room for what is sent last, which the client reads after the end of the connection.
  private static let lastSendBuffer: CInt = 64 << 10

  /// Sends the last reply of its row and the end of the call, because the service stops. A call that is not answered by now is not
  /// answered. Returns the number of bytes that the socket takes.
  func finish(of source: any ReplySource, at now: Instant) -> Int {
    if let row {
      if let due = source.due(row) { _ = source.sendReply(row, on: &varlink, at: max(due, now)) }
      varlink.fail(source.stopping(row))
    }
    // Without more room the client has what fits.
    if varlink.pendingOutputCount > 0 { try? socket.setSendBufferSize(Self.lastSendBuffer) }
    noteWritable()
    return write()
  }

  /// Whether the socket accepted less than it was given, and has not become writable since.
  private var isFull = false

  /// The socket has become writable.
  func noteWritable() { isFull = false }

  /// Writes as much as the socket accepts; returns the number of bytes.
  func write() -> Int {
    var total = 0
    while end == nil, !isFull, varlink.pendingOutputCount > 0 {
      do throws(Errno) {
        let count = try socket.send(varlink.output)
        isFull = count < varlink.pendingOutputCount
        varlink.didSend(count)
        total += count
      } catch {
        end = .failed(error)
      }
    }
    if end == nil, varlink.isFinished {
      switch varlink.violation {
      case nil: end = .finished
      case let violation? where varlink.isOwnViolation: end = .misanswered(reason: violation.reason)
      case let violation?: end = .violated(reason: violation.reason)
      }
    }
    return total
  }

  // MARK: End

  /// The client has closed the connection. One-way calls that were received are performed; replies are discarded.
  func hangUp() {
    isAbandoned = true
    if row != nil || varlink.pendingOutputCount > 0 { close(.finished) }
  }

  func close(_ reason: End) { end = end ?? reason }
}
