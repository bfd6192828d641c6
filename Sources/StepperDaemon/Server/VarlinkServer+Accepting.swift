import StepperCore
import StepperLinux
import SystemPackage
import Varlink

/// Accepting connections.
extension VarlinkServer {
  static var acceptPause: Duration { .seconds(1) }

  /// Accepts pending connections within the budget; the rest follows in the next wakeup, after the work for other
  /// clients.
  func accept(_ now: Instant) {
    var budget = WorkBudget(WakeupTime.accepting)
    var began = clock()
    while !budget.isSpent, let descriptor = nextConnection(at: now) {
      let user = admit(descriptor)
      let ended = clock()
      budget.spend(ended - began)
      if let user { turns.charge(user: user, ended - began) }
      began = ended
    }
  }

  /// nil: no connection waits, or none can be accepted at present.
  private func nextConnection(at now: Instant) -> OwnedFileDescriptor? {
    do throws(Errno) {
      return try listener.accept()
    } catch {
      // Out of descriptors or memory: the listener stays readable, so it is not watched for a while.
      let remedy = error == .tooManyOpenFiles ? " (LimitNOFILE= of the service limits them)" : ""
      report("cannot accept clients: \(error)\(remedy); trying again in a second", .problem)
      loop.change(listener.rawDescriptor, to: [])
      acceptsAgain = now + Self.acceptPause
      return nil
    }
  }

  /// Starts to serve a connection, or closes it; returns its user, if known. A failure closes this connection and
  /// does not delay others.
  private func admit(_ descriptor: consuming OwnedFileDescriptor) -> UInt32? {
    var user: UInt32?
    do throws(Errno) {
      let socket = try StreamConnection(descriptor)
      user = socket.peer.userID
      guard slots.admits(socket.peer.userID, rank(socket.peer)) else {
        refuse(socket)
        return user
      }
      try socket.setSendBufferSize(limits.sendBuffer)
      try start(socket)
    } catch {
      report("closed a connection that could not be set up: \(error)", .problem)
    }
    return user
  }

  /// Sends the reason before the connection is closed. The client can read it even if it has already sent a call.
  private func refuse(_ socket: borrowing StreamConnection) {
    let user = socket.peer.userID
    counters.refused += 1
    refusals.note(user)
    refused.note(user, rank(socket.peer))
    let reply = VarlinkReply(refusal(slots.count(of: user))).encoded()
    // A client that is gone already needs no answer.
    _ = try? socket.send(reply[...])
  }

  /// Accepts connections again after a pause, and logs refusals.
  func resumeAccepting(at now: Instant) {
    if let message = refusals.take(at: now) { report(message, .problem) }
    guard let due = acceptsAgain, due <= now else { return }
    acceptsAgain = nil
    guard !isListenerWatched else { return loop.change(listener.rawDescriptor, to: .readable) }
    do throws(Errno) { try watchListener() } catch { acceptsAgain = now + Self.acceptPause }
  }
}
