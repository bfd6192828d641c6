internal import HTTPTypes
internal import HummingbirdCore
internal import StepperConfiguration
internal import Varlink

/// `GET /events`.
struct EventRoute {
  /// The least time between two events.
  private static let shortestInterval = Duration.milliseconds(16)
  private static let longestInterval = Duration.seconds(60)

  let hub: ControlHub
  let describer: Describer
  let keeper: HoldKeeper
  /// Patterns of the controls that this program shows; empty: all.
  let match: [String]

  func open(_ request: WebRequest) async throws -> Response {
    guard !hub.isStopped else { throw Problem.stopping }
    let query = request.target
    let moments = try query.flag("moments")
    let filter = try query.filter
    let interval = try Self.interval(query.values("interval").first)
    let language = try query.language ?? describer.language
    try await describer.admit(language, for: request.client)
    let last = request.head.lastEventID ?? query.values("last").first
    let handle = try StreamHandle(hub, of: request, moments: moments) { [keeper, describer] id in
      Task {
        await keeper.end(of: id)
        await describer.endStream(in: language)
      }
    }
    await describer.beginStream(in: language)
    // From here on, the stream is among those that end with their token. The token may have been removed before.
    try request.checkToken()
    var start = ControlRevisions.Cursor()
    start.resumption = last.flatMap { EventID($0) }
    start.isReadOnly = !request.access.mayOperate
    start.view = EventID.view(of: filter, within: match, in: language, isReadOnly: start.isReadOnly)
    let stream = EventStream(
      hub: hub, describer: describer, connection: request.connection, handle: handle, filter: filter,
      language: language, interval: interval, moments: moments, start: start)
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

  private static func interval(_ text: [UInt8]?) throws(Problem) -> Duration {
    guard let text else { return shortestInterval }
    guard let milliseconds = Int64(OutsideText.shown(text.prefix(20))), milliseconds >= 0 else {
      throw .invalidParameter("interval", "interval is a number of milliseconds")
    }
    let limit = longestInterval.components.seconds * 1000
    return max(shortestInterval, .milliseconds(min(milliseconds, limit)))
  }
}

extension RequestTarget {
  /// Whether the flag parameter `name` is set.
  func flag(_ name: String) throws(Problem) -> Bool {
    switch values(name).first.map({ OutsideText.shown($0.prefix(20)) }) {
    case nil, "0", "false": false
    case "1", "true": true
    default: throw .invalidParameter(name, "\(name) is 1 or true, or 0 or false")
    }
  }

  /// `language`: a language tag.
  var language: String? {
    get throws(Problem) {
      guard let text = values("language").first, !text.isEmpty else { return nil }
      guard text.count <= 64, text.allSatisfy(isBareKeyByte) else {
        throw .invalidParameter("language", "language is a tag such as de or pt-BR")
      }
      return OutsideText.shown(text)
    }
  }
}
