import StepperCore
package import StepperLinux
package import SystemPackage
import Varlink

/// A client: its socket, its Varlink connection, and, while a call is not answered at once, the row of the replies to this call.
package final class Session: Identifiable {
  package let id: Int64
  /// The identity of the client, and its rights.
  package private(set) var peer: PeerCredentials

  private let socket: StreamConnection
  /// The protocol. The server's ``ReplySource`` writes its replies here.
  var varlink: VarlinkServerConnection
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
  /// Whether the client has attached a device. Its calls are then answered before inputs are applied.
  var isProvider = false
  /// Whether the client has closed the connection, so that nobody reads replies.
  private(set) var isAbandoned = false
  /// Whether the session is in the server's queue of sessions with work.
  var isQueued = false
  /// The share of this session in the counted memory of all clients.
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
  /// The estimated time for each byte of a call. Longer calls take longer, and a client repeats its calls.
  private static let timePerByte = Duration.nanoseconds(100)

  /// The expected duration of the next slice, if known.
  var expectedTurn: Duration { hasCall ? max(Self.timePerByte * varlink.callCount, lastTurn) : lastTurn }

  /// The session as a candidate for the next slice.
  var candidate: ClientTurns.Candidate {
    ClientTurns.Candidate(user: peer.userID, session: id, expected: expectedTurn)
  }

  /// The time of its next reply from `source`; nil while earlier output is unsent, and after the last one.
  func due(of source: any ReplySource) -> Instant? {
    guard end == nil, let row, varlink.hasUnanswered, varlink.pendingOutputCount == 0 else { return nil }
    return source.due(row)
  }

  /// Bytes of memory for received calls and unsent replies.
  var memory: Int { varlink.memory }
  var unsentCount: Int { varlink.pendingOutputCount }

  /// From now on the client has only the rights that every client has.
  func restrict() { peer.isRestricted = true }

  // MARK: Input

  /// Reads once from the socket by way of `buffer`; returns the number of bytes.
  func read(with buffer: inout [UInt8]) -> Int {
    guard end == nil, varlink.wantsInput else { return 0 }
    do throws(Errno) {
      switch try socket.receive(into: &buffer) {
      case .bytes(let count):
        varlink.receive(buffer[..<count])
        return count
      case .end: varlink.receiveEnd()
      case .later: break
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

  /// Returns the row once, after its last reply or the end of the connection.
  func takeEndedRow() -> Int? {
    guard let row, end != nil || !varlink.hasUnanswered else { return nil }
    self.row = nil
    return row
  }

  /// The size of the send buffer for the last messages, which the client reads after the end of the connection.
  private static let lastSendBuffer: CInt = 64 << 10

  /// Sends the last reply of its row and ends the call, because the service stops. Calls that were not answered by now
  /// get no answer. Returns the number of bytes that the socket accepts.
  func finish(of source: any ReplySource, at now: Instant) -> Int {
    if let row {
      if let due = source.due(row) { _ = source.sendReply(row, on: &varlink, at: max(due, now)) }
      varlink.fail(source.stopping(row))
    }
    // If the buffer cannot be enlarged, the client gets what fits.
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
