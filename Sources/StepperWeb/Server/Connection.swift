internal import NIOCore
internal import Synchronization

/// A connection of a browser, as requests and the ``ConnectionTable`` see it.
final class Connection: Sendable {
  enum Phase: Hashable {
    /// No request is being read or answered.
    case idle
    /// The head of a request is being read.
    case reading
    case answering
    /// A stream of events is sent.
    case streaming
  }

  let channel: any Channel
  /// The address of the other side, without port; that of a Unix socket is empty.
  let address: String
  /// The address of this side with its port, as in `Host`; nil for a Unix socket.
  let ownAddress: String?
  /// Signalled when everything that was written has been taken by the kernel, or the connection is closed.
  let drained = Signal()

  private let state: Mutex<(phase: Phase, since: ContinuousClock.Instant)>

  init(_ channel: any Channel) {
    self.channel = channel
    address = channel.remoteAddress?.ipAddress ?? ""
    ownAddress = channel.localAddress.flatMap { own in
      own.ipAddress.map { "\($0.contains(":") ? "[\($0)]" : $0):\(own.port ?? 0)" }
    }
    state = Mutex((.idle, .now))
  }

  /// Whether the other side is on this machine.
  var isLocal: Bool { ["127.", "::ffff:127."].contains(where: address.hasPrefix) || address == "::1" }

  var phase: Phase { state.withLock(\.phase) }

  /// Since when it may be closed for another one; nil: it may not.
  var idleSince: ContinuousClock.Instant? {
    state.withLock { [.idle, .reading].contains($0.phase) ? $0.since : nil }
  }

  func enter(_ phase: Phase) { state.withLock { $0 = (phase, .now) } }

  /// Waits until everything that was written has been taken by the kernel. Throws if the connection is closed.
  func drain() async throws {
    while !channel.isWritable {
      guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
      await drained.wait()
      try Task.checkCancellation()
    }
  }
}

/// The open connections; there is a most of them.
final class ConnectionTable: Sendable {
  /// The most that are open.
  static let limit = 256

  private let connections = Mutex<[ObjectIdentifier: Connection]>([:])

  var count: Int { connections.withLock(\.count) }

  subscript(_ channel: any Channel) -> Connection? {
    connections.withLock { $0[ObjectIdentifier(channel)] }
  }

  /// Adds a connection. At the limit the one that has waited longest for a request is closed for it; false if there is
  /// none of these.
  func admit(_ connection: Connection) -> Bool {
    let (isAdmitted, closed): (Bool, Connection?) = connections.withLock { connections in
      var closed: Connection?
      if connections.count >= Self.limit {
        let idle = connections.values.compactMap { one in one.idleSince.map { (one, $0) } }
        guard let oldest = idle.min(by: { $0.1 < $1.1 })?.0 else { return (false, nil) }
        connections[ObjectIdentifier(oldest.channel)] = nil
        closed = oldest
      }
      connections[ObjectIdentifier(connection.channel)] = connection
      return (true, closed)
    }
    closed?.channel.close(promise: nil)
    return isAdmitted
  }

  func remove(_ connection: Connection) {
    connections.withLock { $0[ObjectIdentifier(connection.channel)] = nil }
  }

  /// Closes those without a request.
  func closeIdle() { close { $0.idleSince != nil } }

  func closeAll() { close { _ in true } }

  private func close(where isMeant: (Connection) -> Bool) {
    for connection in connections.withLock({ Array($0.values) }) where isMeant(connection) {
      connection.channel.close(promise: nil)
    }
  }
}
