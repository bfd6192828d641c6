import StepperCore
import StepperSystem
import SystemPackage

/// Taking in clients.
extension VarlinkServer {
  private static var acceptPause: Duration { .seconds(1) }

  /// Takes in some of the clients that wait; the others stay for the next wakeup, after all others had their turn.
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

  /// nil: nobody waits, or nobody can be accepted at present.
  private func nextConnection(at now: Instant) -> OwnedFileDescriptor? {
    do throws(Errno) {
      return try listener.accept()
    } catch {
      // Out of descriptors or memory: the waiting client stays ready, so look away for a while.
      report("cannot accept clients: \(error); trying again in a second", true)
      loop.change(listener.rawDescriptor, to: [])
      acceptsAgain = now + Self.acceptPause
      return nil
    }
  }

  /// Begins to serve, or closes, a connection; returns whose it is, if that could be found out. What fails here costs
  /// this connection and keeps nobody else waiting.
  private func admit(_ descriptor: consuming OwnedFileDescriptor) -> UInt32? {
    var user: UInt32?
    do throws(Errno) {
      let socket = try StreamConnection(descriptor)
      user = socket.peer.userID
      guard places.admits(socket.peer.userID, rank(socket.peer)) else {
        counters.refused += 1
        refusals.note(socket.peer.userID)
        return user
      }
      try socket.setSendBufferSize(limits.sendBuffer)
      try start(socket)
    } catch {
      report("closed a connection that could not be set up: \(error)", true)
    }
    return user
  }

  /// Accepts again after a pause, and says what was refused.
  func resumeAccepting(at now: Instant) {
    if let message = refusals.take(at: now) { report(message, true) }
    guard let due = acceptsAgain, due <= now else { return }
    acceptsAgain = nil
    loop.change(listener.rawDescriptor, to: .readable)
  }
}
