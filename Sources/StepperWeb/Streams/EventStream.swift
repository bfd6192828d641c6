internal import HummingbirdCore
internal import NIOCore
internal import Varlink

/// The events that one page is sent: the first change at once, and then at most one event per interval, with the latest states. Nothing
/// is queued for a slow page: an event is made only when the one before has been sent.
struct EventStream: Sendable {
  static let contentType = "text/event-stream"
  /// The kernel's send buffer after the first events, in bytes: a page that stops reading gets few outdated ones.
  private static let sendBuffer = 8 << 10

  let hub: ControlHub
  let describer: Describer
  let connection: Connection
  let handle: StreamHandle
  let filter: ControlFilter
  let language: String
  let interval: Duration
  /// Whether the page requested moments.
  let moments: Bool
  /// From where on the page is sent changes, and what it is shown.
  let start: ControlRevisions.Cursor

  /// Sends events until the task is cancelled, the connection fails or the program stops.
  @concurrent func run(_ writer: inout any ResponseBodyWriter) async throws {
    var cursor = start
    var selection = ControlSelection(filter)
    var momentCursor = hub.readMoments(\.end)
    var tick = hub.tick
    var buffer = EventText.start
    EventText.append("stream", ["id": handle.id], to: &buffer)
    var (isPrompt, isSmall) = (false, false)
    while !hub.isStopped {
      try await connection.takeRoom(hub.read { $0.byteCount(after: cursor) } + buffer.count)
      let table = hub.table
      selection.find(in: table)
      let texts = await describer.texts(of: table.news(after: cursor, of: selection), in: language)
      let changed = cursor.isBehind(table) ? table.changedAt : nil
      table.appendEvents(after: &cursor, of: selection, describedBy: texts, to: &buffer)
      if moments {
        hub.readMoments { $0.appendEvent(after: &momentCursor, of: selection, to: &buffer) }
      }
      if hub.tick != tick {
        tick = hub.tick
        EventText.append("tick", [:], to: &buffer)
      }
      if !buffer.isEmpty {
        try await writer.write(ByteBuffer(bytes: buffer))
        if isPrompt, let changed { hub.note(changed.duration(to: .now)) }
        buffer.removeAll(keepingCapacity: buffer.count < 4096)
        isPrompt = false
        if !isSmall {
          isSmall = true
          try await connection.channel
            .setOption(.socketOption(.so_sndbuf), value: SocketOptionValue(Self.sendBuffer)).get()
        }
        try await connection.drain()
        // Others may need the room while this stream rests.
        connection.leaveRoom()
        try await Task.sleep(for: interval)
      }
      connection.leaveRoom()
      isPrompt = await handle.signal.wait()
      try Task.checkCancellation()
    }
  }
}
