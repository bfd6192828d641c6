internal import NIOCore

/// Passes the decoder one request at a time: the next one is decoded only when the answer has been sent. Until then at most one read of
/// it waits here, and the rest stays with the other side. It is the first of a connection's handlers.
///
/// A request ends with a line, or with the last byte of its body. Therefore the decoder is given whole lines and bodies, and never
/// receives the beginning of another request.
final class RequestFeed: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The most bytes that wait. A connection that ends is read to its end, however much waits.
  private static let waitingLimit = 64 << 10

  let progress: RequestProgress
  /// The turns that the next request waits for, in this order, before it is read.
  private let turns: [RequestTurn]
  private var context: ChannelHandlerContext?
  private var waiting = ByteBuffer()
  /// Whether requests are being served. When the kernel reports the end of a connection, everything before it is read at once.
  private var isServed = false
  /// Whether the decoder needs more than the waiting bytes.
  private var wantsRead = false
  /// Whether the other side has ended its input, so that only the waiting bytes are left.
  private var isInputClosed = false
  private var isFeeding = false
  /// How many of the ``turns`` the next request has taken.
  private var takenCount = 0
  /// The timer until the last taken turn comes; nil: none is awaited.
  private var pause: Scheduled<Void>?

  init(_ progress: RequestProgress, turns: [RequestTurn] = []) {
    (self.progress, self.turns) = (progress, turns)
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelActive(context: ChannelHandlerContext) {
    progress.open()
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !progress.isRefused else { return }
    var bytes = unwrapInboundIn(data)
    if waiting.readableBytes == 0 { waiting = bytes } else { waiting.writeBuffer(&bytes) }
    feed(context)
    if waiting.readableBytes > Self.waitingLimit { context.close(promise: nil) }
  }

  func read(context: ChannelHandlerContext) {
    if waiting.readableBytes > 0, !progress.isRefused { wantsRead = true } else { context.read() }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event as? ChannelEvent == .inputClosed else { return context.fireUserInboundEventTriggered(event) }
    isInputClosed = true
    endInput(context)
  }

  /// Starts with the waiting bytes, now that requests are served.
  func serve() {
    isServed = true
    resume()
  }

  /// Continues with the waiting bytes after an answer.
  func resume() {
    guard let context else { return }
    feed(context)
    context.fireChannelReadComplete()
  }

  private func feed(_ context: ChannelHandlerContext) {
    guard !isFeeding else { return }
    isFeeding = true
    while pause == nil, let piece = nextPiece(context) {
      let bytes = piece.readableBytesView
      guard progress.read(bytes.count, endsLine: bytes.last == UInt8(ascii: "\n")) else {
        context.fireUserInboundEventTriggered(RequestRefusal(problem: .headTooLong))
        break
      }
      takenCount = 0
      context.fireChannelRead(wrapInboundOut(piece))
    }
    isFeeding = false
    endInput(context)
    if wantsRead, waiting.readableBytes == 0 {
      wantsRead = false
      context.read()
    }
  }

  /// nil: there is no piece, or it is not its turn.
  private func nextPiece(_ context: ChannelHandlerContext) -> ByteBuffer? {
    guard isServed, waiting.readableBytes > 0 else { return nil }
    guard !progress.isRefused else {
      waiting.clear()
      return nil
    }
    switch progress.wanted {
    case .nothing: return nil
    case .bytes(let count): return waiting.readSlice(length: min(count, waiting.readableBytes))
    case .line:
      while progress.isIdle, takenCount < turns.count {
        let wait = turns[takenCount].take()
        takenCount += 1
        if wait > .zero {
          pause(wait, context)
          return nil
        }
      }
      let view = waiting.readableBytesView
      let end = view.firstIndex(of: UInt8(ascii: "\n"))
      return waiting.readSlice(length: end.map { $0 - view.startIndex + 1 } ?? view.count)
    }
  }

  private func pause(_ time: Duration, _ context: ChannelHandlerContext) {
    pause = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { [self] in
      pause = nil
      resume()
    }
  }

  /// Drops the waiting bytes, and gives the request's turn to another one.
  private func giveUp() {
    waiting = ByteBuffer()
    guard let pause else { return }
    pause.cancel()
    self.pause = nil
    turns[takenCount - 1].giveBack()
  }

  /// Reports the end of the other side's input, after what it sent. A stream ends with it, because no waiting request is served after a
  /// stream.
  private func endInput(_ context: ChannelHandlerContext) {
    guard isServed, isInputClosed,
      waiting.readableBytes == 0 || progress.isRefused || progress.connection.phase == .streaming
    else { return }
    isInputClosed = false
    context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    progress.note(isWritable: context.channel.isWritable)
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    progress.close()
    giveUp()
    progress.connection.drained.signal()
    context.fireChannelInactive()
  }
}
