package import StepperClient
package import StepperCore
package import StepperLinux
internal import SystemPackage

/// One connection to the daemon on the program's loop, controlled by a machine.
package final class DaemonChannel<Machine: ConnectionMachine> {
  private let loop: EventLoop
  private let ended: (DaemonChannel, Machine.Waiter, Machine.Outcome) -> Void
  private var connection: MachineConnection<Machine>
  /// What the loop watches for this connection.
  private var watched = ConnectionInterest()
  /// The latest time at which ``advance(to:)`` has something to do.
  package private(set) var deadline: Instant? = .distantPast
  private var isServing = false

  /// The most bytes of a reply; the daemon's replies have at most half as many.
  private static var replyLimit: Int { 2 << 20 }

  /// Does nothing before ``advance(to:)``. With `isRestricted`, the daemon permits only what every client may do. `ended` is called with
  /// the waits that have ended.
  package init(
    on loop: EventLoop, to choice: AddressChoice, isRestricted: Bool = false, _ machine: Machine,
    ended: @escaping (DaemonChannel, Machine.Waiter, Machine.Outcome) -> Void
  ) {
    (self.loop, self.ended) = (loop, ended)
    connection = MachineConnection(
      machine, to: choice, replyLimit: Self.replyLimit, isRestricted: isRestricted)
  }

  /// The socket is closed together with the connection, and must no longer be watched.
  deinit { if let socket = watched.socket { loop.unwatch(socket) } }

  /// Changes the machine, and does what results from the change.
  package func perform(at now: Instant, _ change: (inout Machine) -> Void) {
    change(&connection.machine)
    serve(at: now)
  }

  /// Does what is due.
  package func advance(to now: Instant) { if let deadline, deadline <= now { serve(at: now) } }

  /// Does everything that does not block, including what ``perform(at:_:)`` changes in the meantime.
  private func serve(at now: Instant) {
    guard !isServing else { return }
    isServing = true
    connection.serve(at: now)
    while case let waits = connection.machine.takeEndedWaits(), !waits.isEmpty {
      for (waiter, outcome) in waits { ended(self, waiter, outcome) }
    }
    isServing = false
    watch(at: now)
  }

  private func watch(at now: Instant) {
    let interest = connection.interest(at: now) ?? ConnectionInterest()
    deadline = interest.deadline
    if interest.socket != watched.socket || interest.socketNumber != watched.socketNumber {
      // The old socket is closed, and nothing else is watched under its number before this function returns.
      if let socket = watched.socket { loop.unwatch(socket) }
      watched = ConnectionInterest()
      guard let socket = interest.socket else { return }
      do throws(Errno) {
        try loop.watch(socket, priority: .client) { [weak self] _, now in self?.serve(at: now) }
      } catch {
        // The kernel lacks memory: the next deadline tries again.
        deadline = now + .seconds(1)
        return
      }
    }
    if let socket = interest.socket, interest.isWriting != watched.isWriting {
      loop.change(socket, to: EventLoop.Readiness(readable: true, writable: interest.isWriting))
    }
    watched = interest
  }
}
