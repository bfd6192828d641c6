import StepperCore
package import StepperSystem
package import SystemPackage
import Varlink

/// One client: its socket, its Varlink connection, and the stream of replies it asked for.
package final class Session: Identifiable {
  package let id: Int64
  package var peer: PeerCredentials { socket.peer }

  private let socket: StreamConnection
  private var varlink: VarlinkServerConnection
  /// The stream that answers a call with `more`.
  private(set) var stream: (any ReplyStream)?
  /// Why it was closed; nil while it is open.
  private(set) var end: End?

  /// At most, so that reading 128 clients takes no longer than answering a few calls.
  private static let bytesPerWakeup = 16 << 10

  package enum End: Equatable {
    /// As clients do.
    case finished
    /// It broke the rules of the protocol.
    case violated(reason: String)
    /// The connection broke.
    case failed(Errno)
    /// It had most when all clients together had too much memory; so many bytes were unsent.
    case outgrown(unsent: Int)
  }

  init(id: Int64, socket: consuming StreamConnection) {
    self.id = id
    self.socket = socket
    varlink = VarlinkServerConnection()
  }

  var rawDescriptor: CInt { socket.rawDescriptor }

  /// What the loop was told to watch for last.
  var watchedInterest: EventLoop.Readiness = .readable
  /// As it was added to the sum of all clients' memory.
  var countedMemory = 0

  /// What the socket must be watched for.
  var interest: EventLoop.Readiness {
    var interest: EventLoop.Readiness = []
    if varlink.wantsInput { interest.insert(.readable) }
    if varlink.pendingOutputCount > 0 { interest.insert(.writable) }
    return interest
  }

  /// Whether a complete call was received that can be answered now.
  var hasCall: Bool { end == nil && varlink.hasCall }

  /// How long its last turn took.
  var lastTurn = Duration.zero
  /// What takes long is long, as a rule, and does it again.
  private static let timePerByte = Duration.nanoseconds(100)

  /// It, where it wants a turn.
  var candidate: ClientTurns.Candidate {
    let expected = hasCall ? max(Self.timePerByte * varlink.callCount, lastTurn) : lastTurn
    return ClientTurns.Candidate(user: peer.userID, session: id, expected: expected)
  }

  /// When its stream has something to tell that the socket can take.
  var due: Instant? { end == nil && varlink.pendingOutputCount == 0 ? stream?.due : nil }

  func isDue(at now: Instant) -> Bool { due.map { $0 <= now } ?? false }

  /// How many bytes of memory its received and unsent bytes take.
  var memory: Int { varlink.memory }
  var unsentCount: Int { varlink.pendingOutputCount }

  // MARK: Input

  /// Reads what the socket has, within limits; returns how many bytes.
  func read() -> Int {
    guard end == nil, varlink.wantsInput else { return 0 }
    do throws(Errno) {
      switch try socket.receive(limit: Self.bytesPerWakeup) {
      case .bytes(let bytes):
        varlink.receive(bytes)
        return bytes.count
      case .end: varlink.receiveEnd()
      case .nothingYet: break
      }
    } catch {
      end = .failed(error)
    }
    return 0
  }

  /// Answers the next call; returns whether there is a reply to it already, and nil if there was no call.
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

  /// Tells what the stream has to tell, if the client has taken everything before it. Returns when that
  /// happened, if it was an input.
  func pump(at now: Instant) -> Instant? {
    guard let due, due <= now else { return nil }
    return stream?.tell(&varlink, at: now)
  }

  /// The stream, once it has made its last reply or the connection is closed; returned once.
  func takeEndedStream() -> (any ReplyStream)? {
    guard let stream, end != nil || varlink.unanswered == nil else { return nil }
    self.stream = nil
    return stream
  }

  /// Ends the stream, because the service stops.
  func endStream() {
    guard let stream else { return }
    varlink.fail(stream.stopping)
  }

  /// Gives the kernel what it takes; returns how many bytes.
  func write() -> Int {
    var total = 0
    while end == nil, varlink.pendingOutputCount > 0 {
      do throws(Errno) {
        let count = try socket.send(varlink.output)
        guard count > 0 else { break }
        varlink.didSend(count)
        total += count
      } catch {
        end = .failed(error)
      }
    }
    if end == nil, varlink.isFinished {
      end = varlink.violation.map { .violated(reason: $0.reason) } ?? .finished
    }
    return total
  }

  // MARK: End

  /// The other side is closed altogether. One-way calls it sent before are still done; replies have nobody to go to.
  func hangUp() {
    if stream != nil || varlink.pendingOutputCount > 0 { close(.finished) }
  }

  func close(_ reason: End) { end = end ?? reason }
}
