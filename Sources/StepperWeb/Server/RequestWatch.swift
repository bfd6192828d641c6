internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import NIOHTTP1
internal import Varlink

/// Refuses requests for reasons that the handlers behind it do not see: several `Host` fields, targets that are not paths, and bodies
/// that are too long even though nobody reads them. Tells the feed what has arrived and what was sent. It stands behind the decoder of a
/// connection.
final class RequestWatch: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let feed: RequestFeed
  private let progress: RequestProgress
  private var bodyCount = 0
  private var closesAfterAnswer = false
  /// Whether the answer has no body, because the request is HEAD.
  private var isHead = false
  /// Whether the request is HTTP/1.0, which has no chunks.
  private var isOld = false
  /// Whether there is an unanswered request.
  private var isAsked = false
  /// Whether an answer has begun but not ended.
  private var isAnswering = false
  /// The number of parts of answers that the kernel has not accepted.
  private var unsentCount = 0

  init(_ feed: RequestFeed) { (self.feed, progress) = (feed, feed.progress) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !progress.isRefused else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      isAsked = true
      bodyCount = 0
      // After a request for another protocol, nothing more is decoded.
      closesAfterAnswer = !head.isKeepAlive || head.headers.contains(name: "upgrade")
      (isHead, isOld) = (head.method == .HEAD, head.version.minor == 0)
      progress.endHead(bodyLength: Self.bodyLength(of: head))
      do throws(Problem) {
        progress.connection.target = try Self.target(of: head)
      } catch {
        return refuse(error, context)
      }
      if Self.waitsForContinue(head) {
        let go = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(go)), promise: nil)
      }
    case .body(let body):
      bodyCount += body.readableBytes
      if bodyCount > JSONBody.byteLimit { return refuse(.tooLong, context) }
    case .end: progress.endRequest()
    }
    context.fireChannelRead(data)
  }

  /// nil: the body comes in chunks.
  private static func bodyLength(of head: HTTPRequestHead) -> Int? {
    head.headers.contains(name: "transfer-encoding")
      ? nil : head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
  }

  /// Whether the other side waits for permission to send the body (RFC 9110, 10.1.1).
  private static func waitsForContinue(_ head: HTTPRequestHead) -> Bool {
    let word = "100-continue"
    return head.version.minor > 0 && bodyLength(of: head) != 0
      && head.headers["expect"].contains { $0.utf8.count == word.utf8.count && hasPrefix($0.utf8, word) }
  }

  /// The target of a request. Throws if the request is refused.
  static func target(of head: HTTPRequestHead) throws(Problem) -> RequestTarget {
    guard head.version.major == 1 else {
      throw Problem(.httpVersionNotSupported, "only HTTP/1.1 is supported")
    }
    guard head.headers["host"].count == 1 else {
      throw Problem(.misdirectedRequest, "a request needs one Host header")
    }
    // Checked here, because libraries behind this handler treat the fields as a String.
    for field in head.headers where OutsideText.text(field.value.utf8.span) == nil {
      throw Problem(.badRequest, "a header is not \(OutsideText.requirement)")
    }
    let codings = head.headers["transfer-encoding"]
    guard codings.allSatisfy({ $0.utf8.count == 7 && hasPrefix($0.utf8, "chunked") }) else {
      throw Problem(.notImplemented, "of the transfer encodings only chunked is supported")
    }
    guard bodyLength(of: head) ?? 0 <= JSONBody.byteLimit else { throw .tooLong }
    do throws(RequestTarget.Fault) {
      // Parsed here, because libraries behind this handler derive a path from an absolute URL by other rules.
      return try RequestTarget(head.uri.utf8)
    } catch {
      throw Problem(.badRequest, error.reason)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard let refusal = event as? RequestRefusal else { return context.fireUserInboundEventTriggered(event) }
    refuse(refusal.problem, context)
  }

  /// Sends the refusal, and closes the connection once the other side has had time to read it.
  private func refuse(_ problem: Problem, _ context: ChannelHandlerContext) {
    progress.refuse()
    if !isAnswering {
      let body = problem.text
      var head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: problem.code))
      for field in problem.response.headers { head.headers.add(name: field.name.rawName, value: field.value) }
      SecurityHeaders.add(to: &head.headers)
      head.headers.replaceOrAdd(name: "Connection", value: "close")
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      if !isHead { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil) }
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
    context.close(mode: .output, promise: nil)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard !progress.isRefused else {
      promise?.fail(ChannelError.outputClosed)
      return
    }
    switch unwrapOutboundIn(data) {
    case .head(var head):
      // Bytes that could not be parsed are not a request, and neither is anything after them. The decoder answers them without a text.
      guard isAsked else {
        promise?.fail(ChannelError.outputClosed)
        return refuse(.notRead, context)
      }
      isAnswering = true
      if isOld, !head.headers.contains(name: "content-length") {
        head.version = .http1_0
        closesAfterAnswer = true
      }
      SecurityHeaders.add(to: &head.headers)
      progress.beginAnswer(isStream: head.headers.first(name: "content-type") == EventStream.contentType)
      if closesAfterAnswer { head.headers.replaceOrAdd(name: "Connection", value: "close") }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .body where isHead: promise?.succeed()
    case .body(let body):
      let count = body.readableBytes
      write(data, context, promise) { [progress] in progress.connection.take(count) }
    case .end:
      (isAsked, isAnswering, isHead) = (false, false, false)
      write(data, context, promise) { [self] in
        if closesAfterAnswer {
          progress.refuse()
          return context.close(mode: .output, promise: nil)
        }
        progress.connection.leaveRoom()
        progress.endAnswer()
        feed.resume()
      }
    }
  }

  /// Writes a part, and runs `next` when the kernel has accepted it.
  private func write(
    _ data: NIOAny, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?,
    next: @escaping () -> Void
  ) {
    unsentCount += 1
    progress.connection.note(isSending: true)
    let taken = context.eventLoop.makePromise(of: Void.self)
    taken.futureResult.assumeIsolated().whenSuccess { [self] in
      unsentCount -= 1
      if unsentCount == 0 { progress.connection.note(isSending: false) }
      next()
    }
    taken.futureResult.cascade(to: promise)
    context.write(data, promise: taken)
  }
}

/// The refusal of bytes that are not decoded, passed from ``RequestFeed`` to ``RequestWatch``.
struct RequestRefusal {
  let problem: Problem
}

extension Problem {
  fileprivate static let notRead = Problem(
    .badRequest,
    "the request is not HTTP/1.1, which has a first line such as GET /path HTTP/1.1 and lines NAME: VALUE, each ended by CR and LF"
  )
  static let tooLong = Problem(.contentTooLarge, "the body is longer than \(JSONBody.byteLimit) bytes")
  static let headTooLong = Problem(
    .requestHeaderFieldsTooLarge,
    "the head of a request is longer than \(RequestProgress.headLimit) bytes, or has more than \(RequestProgress.fieldLimit) fields"
  )
}
