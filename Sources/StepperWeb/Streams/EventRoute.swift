internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore

/// `GET /events`.
struct EventRoute {
  /// The least time between two events.
  private static let shortestInterval = Duration.milliseconds(16)
  private static let longestInterval = Duration.seconds(60)

  let hub: ControlHub
  let describer: Describer
  let keeper: HoldKeeper

  func open(_ request: Request, _ context: WebContext) throws -> Response {
    guard !hub.isStopped else { throw Problem.stopping }
    let query = request.uri.queryParameters
    let moments = query["moments"].map { $0 != "0" && $0 != "false" } ?? false
    let filter = try request.uri.filter
    let interval = try Self.interval(query["interval"])
    let language = try request.uri.language ?? describer.language
    let last = request.headers[.lastEventID] ?? query["last"].map(String.init)
    let handle = try StreamHandle(hub, from: context.connection.address, moments: moments) { [keeper] id in
      Task { await keeper.end(of: id) }
    }
    let stream = EventStream(
      hub: hub, describer: describer, connection: context.connection, handle: handle, filter: filter,
      language: language, interval: interval, resumption: last.flatMap { EventID($0) }, moments: moments,
      isReadOnly: context.isReadOnly)
    var headers = HTTPFields()
    headers[.contentType] = EventStream.contentType
    headers[.cacheControl] = "no-store"
    headers[.accelBuffering] = "no"
    guard request.method != .head else { return Response(status: .ok, headers: headers) }
    return Response(
      status: .ok, headers: headers,
      body: .init { writer in
        var own = writer
        try await request.body.consumeWithCancellationOnInboundClose { _ in try await stream.run(&own) }
        try await writer.finish(nil)
      })
  }

  private static func interval(_ text: Substring?) throws(Problem) -> Duration {
    guard let text else { return shortestInterval }
    guard let milliseconds = Int64(text), milliseconds >= 0 else {
      throw .invalidParameter("interval", "interval is a number of milliseconds")
    }
    let limit = longestInterval.components.seconds * 1000
    return max(shortestInterval, .milliseconds(min(milliseconds, limit)))
  }
}

extension URI {
  /// `language`: a language tag.
  var language: String? {
    get throws(Problem) {
      guard let text = queryParameters["language"], !text.isEmpty else { return nil }
      let isTag =
        text.utf8.count <= 64
        && text.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
          default: false
          }
        }
      guard isTag else { throw .invalidParameter("language", "language is a tag such as de or pt-BR") }
      return String(text)
    }
  }
}
