internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import NIOHTTP1

/// Refuses requests by what is lost behind it: several `Host` fields, absolute addresses, bodies that are too long
/// although nobody reads them. Behind the decoder of a connection.
final class RequestWatch: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let progress: RequestProgress
  private var bodyCount = 0
  private var closesAfterAnswer = false
  /// Whether an answer has begun and not ended.
  private var isAnswering = false
  /// Requests whose answers are not complete.
  private var openCount = 0

  init(_ progress: RequestProgress) { self.progress = progress }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !progress.isRefused else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      progress.enter(.answering)
      openCount += 1
      bodyCount = 0
      closesAfterAnswer = !head.isKeepAlive
      if let problem = Self.problem(of: head) { return refuse(problem, context) }
    case .body(let body):
      bodyCount += body.readableBytes
      if bodyCount > JSONBody.byteLimit { return refuse(.tooLong, context) }
    case .end: break
    }
    context.fireChannelRead(data)
  }

  private static func problem(of head: HTTPRequestHead) -> Problem? {
    guard head.version.major == 1 else { return Problem(.httpVersionNotSupported, "HTTP/1.1 is spoken here") }
    guard head.headers["host"].count == 1 else {
      return Problem(.misdirectedRequest, "a request needs one Host")
    }
    guard head.uri.utf8.first == UInt8(ascii: "/") || head.uri == "*" else {
      return Problem(.badRequest, "the address must be a path")
    }
    let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
    return length > JSONBody.byteLimit ? .tooLong : nil
  }

  /// Answers, and closes the connection when the other side has had time to read it.
  private func refuse(_ problem: Problem, _ context: ChannelHandlerContext) {
    progress.isRefused = true
    progress.limit(RequestProgress.lingerTime)
    if !isAnswering {
      let body = problem.text
      var head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: problem.status.code))
      for field in problem.response.headers { head.headers.add(name: field.name.rawName, value: field.value) }
      Self.secure(&head)
      head.headers.replaceOrAdd(name: "Connection", value: "close")
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
    context.close(mode: .output, promise: nil)
  }

  private static func secure(_ head: inout HTTPResponseHead) {
    var fields = HTTPFields()
    SecurityHeaders.standard.add(to: &fields)
    for field in fields { head.headers.replaceOrAdd(name: field.name.rawName, value: field.value) }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard !progress.isRefused else {
      promise?.fail(ChannelError.outputClosed)
      return
    }
    switch unwrapOutboundIn(data) {
    case .head(var head):
      isAnswering = true
      if openCount == 0 {
        // What could not be read was no request, and what follows is none.
        closesAfterAnswer = true
        Self.secure(&head)
      }
      if head.headers.first(name: "content-type") == EventStream.contentType {
        progress.enter(.streaming)
        progress.limit(nil)
      } else {
        progress.limit(RequestProgress.stallTime)
      }
      if closesAfterAnswer { head.headers.replaceOrAdd(name: "Connection", value: "close") }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .body: context.write(data, promise: promise)
    case .end:
      isAnswering = false
      openCount -= 1
      context.write(data, promise: promise)
      if closesAfterAnswer { return end(context) }
      guard openCount == 0 else { return }
      progress.enter(.idle)
      progress.limit(RequestProgress.idleTime)
    }
  }

  private func end(_ context: ChannelHandlerContext) {
    context.flush()
    progress.isRefused = true
    progress.limit(RequestProgress.lingerTime)
    context.close(mode: .output, promise: nil)
  }
}

extension Problem {
  static let tooLong = Problem(.contentTooLarge, "the body is longer than \(JSONBody.byteLimit) bytes")
}
