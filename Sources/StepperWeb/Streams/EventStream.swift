internal import HummingbirdCore
internal import NIOCore
internal import Varlink

/// What one page is sent: the first change at once, and then no more than one event in the interval, with the latest
/// states. What the page has not read is not kept: an event is made when the one before has left.
struct EventStream: Sendable {
  static let contentType = "text/event-stream"
  /// What the kernel keeps of it, after the first events: a page that stops reading gets few that are old.
  private static let sendBuffer = 8 << 10

  let hub: ControlHub
  let describer: Describer
  let connection: Connection
  let handle: StreamHandle
  let filter: ControlFilter
  let language: String
  let interval: Duration
  let resumption: EventID?
  /// Whether moments are wanted.
  let moments: Bool
  /// Whether the page may change nothing.
  let isReadOnly: Bool
  /// The name of what it is shown.
  let view: String?

  /// Sends events until the task is cancelled, the connection fails or the program stops.
  @concurrent func run(_ writer: inout any ResponseBodyWriter) async throws {
    var cursor = ControlRevisions.Cursor()
    cursor.resumption = resumption
    (cursor.isReadOnly, cursor.view) = (isReadOnly, view)
    var momentCursor = hub.readMoments(\.end)
    var tick = hub.tick
    var buffer = EventText.start
    EventText.append("stream", to: &buffer) { data in
      JSONText.append(literal: "{\"id\":", to: &data)
      JSONText.append(handle.id, to: &data)
      data.append(UInt8(ascii: "}"))
    }
    var (isPrompt, isSmall) = (false, false)
    while !hub.isStopped {
      try await connection.takeRoom(hub.read { $0.byteCount(after: cursor) } + buffer.count)
      let table = hub.table
      let texts = await describer.texts(of: table.news(after: cursor, of: filter), in: language)
      let changed = cursor.isBehind(table) ? table.changedAt : nil
      table.appendEvents(after: &cursor, of: filter, describedBy: texts, to: &buffer)
      if moments {
        hub.readMoments { $0.appendEvent(after: &momentCursor, of: filter, to: &buffer) }
      }
      if hub.tick != tick {
        tick = hub.tick
        EventText.append("tick", to: &buffer) { JSONText.append(literal: "{}", to: &$0) }
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
        // Others may need the room while this one rests.
        connection.leaveRoom()
        try await Task.sleep(for: interval)
      }
      connection.leaveRoom()
      isPrompt = await handle.signal.wait()
      try Task.checkCancellation()
    }
  }
}
