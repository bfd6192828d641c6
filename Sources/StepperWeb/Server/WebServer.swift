internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// Has each request answered that comes where it listens.
///
/// Hummingbird reads and routes requests. The listening is done here: for sockets that the service manager opened, for
/// several addresses, and for the limits of ``ConnectionTable`` and ``RequestProgress``.
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
      let response = await respond(request, connection)
      try await writer.write(response: response.head, body: response.body)
    })
    try await withThrowingDiscardingTaskGroup { group in
      try await listener.executeThenClose { accepted in
        for try await channel in accepted {
          group.addTask { [logger] in
            guard connections[channel.channel] != nil else {
              // There is no room, or it has gone; it is closed either way.
              try? await channel.executeThenClose { _, _ in }
              return
            }
            await http.handle(value: channel, logger: logger)
          }
        }
      }
    }
  }

  /// Takes no more connections, and closes those that are open when their requests are answered, or after `limit`.
  func stop(within limit: Duration) async {
    for listener in listening.listeners { listener.channel.close(promise: nil) }
    let deadline = ContinuousClock.now + limit
    while listening.connections.count > 0, .now < deadline {
      listening.connections.closeIdle()
      try? await Task.sleep(for: .milliseconds(10))  // Cancelled, they are closed at once.
      if Task.isCancelled { break }
    }
    listening.connections.closeAll()
  }
}
