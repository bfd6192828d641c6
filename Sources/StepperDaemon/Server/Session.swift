import StepperCore
package import StepperLinux
package import SystemPackage
import Varlink

/// A client: its socket, its Varlink connection and the stream of replies to its call with `more`.
package final class Session: Identifiable {
  package let id: Int64
  package var peer: PeerCredentials { socket.peer }

  private let socket: StreamConnection
  private var varlink: VarlinkServerConnection
  /// The stream that answers a call with `more`.
  private(set) var stream: (any ReplyStream)?
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
    self.socket = socket
    varlink = VarlinkServerConnection()
  }

  var rawDescriptor: CInt { socket.rawDescriptor }

  /// The readiness that the loop watches for.
  var watchedInterest: EventLoop.Readiness = .readable
  /// The work for which it is in a queue.
  var queued: (calls: Bool, replies: Bool) = (false, false)
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

  /// The time of the next reply of its stream; nil while earlier output is unsent.
  var due: Instant? { end == nil && varlink.pendingOutputCount == 0 ? stream?.due : nil }

  func isDue(at now: Instant) -> Bool { due.map { $0 <= now } ?? false }

  /// Bytes of memory for received calls and unsent replies.
  var memory: Int { varlink.memory }
  var unsentCount: Int { varlink.pendingOutputCount }

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
        case .stream(let stream):
          self.stream = stream
          return false
        }
      } catch {
        varlink.fail(error)
      }
    }
    return call.mode != .oneway
  }

  // MARK: Output

  /// Sends the pending reply of the stream, if the client has read everything before it. Returns the time of the
  /// input that caused it, if any.
  func sendStreamReply(at now: Instant) -> Instant? {
    guard let due, due <= now else { return nil }
    return stream?.sendReply(on: &varlink, at: now)
  }

  /// The stream, after its last reply or the end of the connection; returned once.
  func takeEndedStream() -> (any ReplyStream)? {
    guard let stream, end != nil || !varlink.hasUnanswered else { return nil }
    self.stream = nil
    return stream
  }

  /// Room for what is sent last, which the client reads after the end of the connection.
  private static let lastSendBuffer: CInt = 64 << 10

  /// Sends the last reply of the stream and its end, because the service stops. A call that is not answered by now is not
  /// answered. Returns the number of bytes that the socket takes.
  func finish(at now: Instant) -> Int {
    if let stream {
      if let due = stream.due { _ = stream.sendReply(on: &varlink, at: max(due, now)) }
      varlink.fail(stream.stopping)
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
    if stream != nil || varlink.pendingOutputCount > 0 { close(.finished) }
  }

  func close(_ reason: End) { end = end ?? reason }
}
