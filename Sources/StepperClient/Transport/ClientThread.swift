internal import Glibc
internal import StepperCore

/// The one thread of a client, which serves all its connections.
final class ClientThread: Sendable {
  fileprivate struct Contents {
    /// Connections that the thread does not know yet.
    var new: [any ServedConnection]
    /// The way to the running thread.
    var wakeup: Wakeup?
    var isStopped = false
  }

  private let contents: Locked<Contents>

  /// A thread for `connection` and later ones, which starts when it is needed.
  init(serving connection: any ServedConnection) {
    contents = Locked(Contents(new: [connection]))
  }

  /// Starts the thread unless it runs; adds `connection` to those that it serves.
  func start(serving connection: (any ServedConnection)? = nil) throws(StepperClientError) {
    try contents.withLock { contents throws(StepperClientError) in
      if contents.wakeup == nil {
        let wakeup = try Wakeup()
        guard Thread.start({ self.run(wakeup) }) else {
          throw StepperClientError(.cannotConnect, "no thread could be started")
        }
        contents.wakeup = wakeup
      }
      if let connection { contents.new.append(connection) }
    }
  }

  /// Has the thread look at its connections.
  func wake() { contents.withLock { $0.wakeup }?.signal() }

  /// Ends the thread, now or as soon as it has started.
  func stop() {
    contents.withLock { $0.isStopped = true }
    wake()
  }

  private func run(_ wakeup: Wakeup) {
    var connections: [any ServedConnection] = []
    while let new = contents.withLock({ $0.takeNew() }) {
      connections += new
      var polled = [pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)]
      var deadline: Instant?
      connections.removeAll { connection in
        guard let interest = connection.serve() else { return true }
        if let socket = interest.socket {
          let events = Int16(POLLIN) | (interest.isWriting ? Int16(POLLOUT) : 0)
          polled.append(pollfd(fd: socket, events: events, revents: 0))
        }
        deadline = .earliest(deadline, interest.deadline)
        return false
      }
      // Every connection is served whatever `poll` returns.
      _ = unsafe poll(&polled, nfds_t(polled.count), deadline.map { Self.milliseconds(until: $0) } ?? -1)
      wakeup.clear()
    }
  }

  /// Milliseconds for `poll`: rounded up, so that a wait does not end just before its deadline, and never more than
  /// `poll` accepts.
  private static func milliseconds(until deadline: Instant) -> CInt {
    let left = max(0, deadline.nanoseconds(since: .now))
    return CInt(min(left / 1_000_000 + (left % 1_000_000 > 0 ? 1 : 0), 1_000_000_000))
  }
}

extension ClientThread.Contents {
  /// The connections that were added since the last call; nil when the thread is to end.
  fileprivate mutating func takeNew() -> [any ServedConnection]? {
    guard !isStopped else { return nil }
    defer { new = [] }
    return new
  }
}
