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
    do throws(Errno) {
      while !budget.isSpent, let descriptor = try listener.accept() {
        let socket = try StreamConnection(descriptor)
        let user = socket.peer.userID
        if places.admits(user, handler.rank(of: socket.peer)) {
          try socket.setSendBufferSize(limits.sendBuffer)
          try start(socket)
        } else {
          counters.refused += 1
          refusals.note(user)
        }
        let ended = clock()
        budget.spend(ended - began)
        turns.charge(user: user, ended - began)
        began = ended
      }
    } catch {
      // Out of descriptors or memory: the waiting client stays ready, so look away for a while.
      report("cannot accept clients: \(error); trying again in a second", true)
      loop.change(listener.rawDescriptor, to: [])
      acceptsAgain = now + Self.acceptPause
    }
  }

  /// Accepts again after a pause, and says what was refused.
  func resumeAccepting(at now: Instant) {
    if let message = refusals.take(at: now) { report(message, true) }
    guard let due = acceptsAgain, due <= now else { return }
    acceptsAgain = nil
    loop.change(listener.rawDescriptor, to: .readable)
  }
}
