internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// Has each request answered that arrives at its listeners.
///
/// Hummingbird parses and routes requests. The listening is done here, to support sockets that the service manager opened, several
/// addresses, and the limits of ``ConnectionTable``, ``RequestFeed``, ``RequestProgress`` and ``AnswerRoom``.
final class WebServer: Sendable {
  typealias Respond = @Sendable (Request, Connection) async -> Response

  private let listening: WebListening
  private let respond: Respond
  private let logger: Logger

  init(_ listening: WebListening, logger: Logger, respond: @escaping Respond) {
    (self.listening, self.logger, self.respond) = (listening, logger, respond)
  }

  /// Serves until the task is cancelled or ``stop(within:)`` is called. Throws when a listener fails.
  func run() async throws {
    try await withThrowingDiscardingTaskGroup { group in
      for listener in listening.listeners { group.addTask { try await self.accept(listener) } }
    }
  }

  private func accept(_ listener: Listener) async throws {
    let connections = listening.connections
    let http = HTTP1Channel(responder: { [respond] request, writer, channel in
      guard let connection = connections[channel] else { throw ChannelError.ioOnClosedChannel }
      do {
        try await connections.admit(request.head, over: connection)
      } catch let problem as Problem {
        return try await writer.write(response: problem.response.head, body: problem.response.body)
      }
      // Given back when the answer has been sent. A request whose body is still to come takes the room once the body has been read.
      if connection.phase != .reading { try await connection.takeRoom(AnswerRoom.least) }
      let response = await respond(request, connection)
      if response.body.contentLength.map({ $0 <= AnswerRoom.piece }) ?? false {
        // Written at once, in one system call.
        try await writer.write(response: response.head, body: response.body)
      } else {
        // Written piece by piece: the next piece when the kernel has accepted the one before.
        let body = response.body.map { piece in
          try await connection.drain()
          connection.queue(piece.readableBytes)
          return piece
        }
        try await writer.write(response: response.head, body: body)
      }
    })
    try await withThrowingDiscardingTaskGroup { group in
      try await listener.executeThenClose { accepted in
        for try await connection in accepted {
          group.addTask { [logger] in
            // There is no room for the connection, or it is closed already.
            guard connections[connection.channel] != nil, let channel = try? await connection.open() else {
              return connection.channel.close(promise: nil)
            }
            await http.handle(value: channel, logger: logger)
          }
        }
      }
    }
  }

  /// Accepts no more connections. Closes open ones when their requests are answered, or after `limit`.
  func stop(within limit: Duration) async {
    for listener in listening.listeners { listener.channel.close(promise: nil) }
    listening.removeSockets()
    let deadline = ContinuousClock.now + limit
    while listening.connections.count > 0, .now < deadline {
      listening.connections.closeIdle()
      try? await Task.sleep(for: .milliseconds(10))  // When cancelled, connections are closed at once.
      if Task.isCancelled { break }
    }
    listening.connections.closeAll()
  }
}
