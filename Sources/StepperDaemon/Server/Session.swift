import StepperCore
package import StepperSystem
import StepperWire
package import SystemPackage

/// One client: its socket, its Varlink connection, and the stream of replies it asked for.
package final class Session: Identifiable {
  package let id: Int
  package var peer: PeerCredentials { socket.peer }

  private let socket: StreamConnection
  private var varlink: VarlinkServerConnection
  /// The stream that answers a call with `more`.
  private(set) var stream: (any ReplyStream)?
  /// Why it was closed; nil while it is open.
  private(set) var end: End?
  private(set) var repliesSent: Int64 = 0

  /// Bytes read and calls answered per wakeup at most, so that one client cannot keep others waiting.
  private static let bytesPerWakeup = 16 << 10
  private static let callsPerWakeup = 32

  package enum End: Equatable {
    /// As clients do.
    case finished
    /// It broke the rules of the protocol.
    case violated(reason: String)
    /// The connection broke.
    case failed(Errno)
  }

  init(id: Int, socket: consuming StreamConnection) {
    self.id = id
    self.socket = socket
    varlink = VarlinkServerConnection()
  }

  var rawDescriptor: CInt { socket.rawDescriptor }

  /// What the socket must be watched for.
  var interest: EventLoop.Readiness {
    var interest: EventLoop.Readiness = []
    if varlink.wantsInput { interest.insert(.readable) }
    if varlink.pendingOutputCount > 0 { interest.insert(.writable) }
    return interest
  }

  /// Whether more calls are to be answered in the next wakeup although the socket has nothing to say.
  private(set) var hasBacklog = false
  /// What the loop was told to watch for last.
  var watchedInterest: EventLoop.Readiness = .readable

  /// When its stream has something to tell that the socket can take.
  var due: Instant? { end == nil && varlink.pendingOutputCount == 0 ? stream?.due : nil }

  // MARK: Input

  func read() {
    guard end == nil, varlink.wantsInput else { return }
    do throws(Errno) {
      switch try socket.receive(limit: Self.bytesPerWakeup) {
      case .bytes(let bytes): varlink.receive(bytes)
      case .end: varlink.receiveEnd()
      case .nothingYet: break
      }
    } catch {
      end = .failed(error)
    }
  }

  /// Answers the calls that are complete, in their order.
  func answer(with handler: some VarlinkHandler, _ service: VarlinkService) {
    hasBacklog = false
    for _ in 0..<Self.callsPerWakeup {
      guard end == nil, let call = varlink.nextCall() else { return }
      repliesSent += 1
      if let reply = service.answer(call) {
        varlink.send(reply)
        continue
      }
      do throws(VarlinkFailure) {
        switch try handler.answer(call, from: self) {
        case .reply(let results): varlink.reply(results)
        case .stream(let stream): self.stream = stream
        }
      } catch {
        varlink.fail(error)
      }
    }
    hasBacklog = true
  }

  // MARK: Output

  /// Tells what the stream has to tell, if the client has taken everything before it. Returns when that
  /// happened, if it was an input.
  func pump(at now: Instant) -> Instant? {
    guard let due, due <= now else { return nil }
    repliesSent += 1
    defer {
      // Its final answer: the calls behind it come next.
      if varlink.unanswered == nil { (stream, hasBacklog) = (nil, true) }
    }
    return stream?.tell(&varlink, at: now)
  }

  /// Ends the stream, because the service stops.
  func endStream() {
    guard let stream else { return }
    self.stream = nil
    varlink.fail(stream.stopping)
  }

  /// Gives the kernel what it takes.
  func write() {
    while end == nil, varlink.pendingOutputCount > 0 {
      do throws(Errno) {
        let count = try socket.send(varlink.output)
        guard count > 0 else { break }
        varlink.didSend(count)
      } catch {
        end = .failed(error)
      }
    }
    finishIfDone()
  }

  /// The other side is gone altogether.
  func hangUp() { end = end ?? .finished }

  private func finishIfDone() {
    guard end == nil, !hasBacklog, varlink.isFinished else { return }
    end = varlink.violation.map { .violated(reason: $0.reason) } ?? .finished
  }
}
