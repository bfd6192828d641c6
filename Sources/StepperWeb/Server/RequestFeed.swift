internal import NIOCore

/// Gives the decoder one request at a time: the next one is decoded when the answer has left. Until then it waits here,
/// at most one read of it, and the rest with the other side. First of a connection's handlers.
///
/// A request ends with a line, or with the last byte of its body, so the decoder is given lines and bodies: it never has
/// the beginning of another request.
final class RequestFeed: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The most bytes that wait. A connection that ends is read to its end, whatever waits.
  private static let waitingLimit = 64 << 10

  let progress: RequestProgress
  /// The turns that the next request waits for, one after the other, before it is read.
  private let turns: [RequestTurn]
  private var context: ChannelHandlerContext?
  private var waiting = ByteBuffer()
  /// Whether there is somebody for what is decoded. The kernel's end of a connection is read at once, and all before it.
  private var isServed = false
  /// Whether the decoder needs more than what waits.
  private var wantsRead = false
  /// Whether the other side has ended, and only what waits comes still.
  private var isInputClosed = false
  private var isFeeding = false
  /// How many of the ``turns`` the next request has taken.
  private var takenCount = 0
  /// Until the last of these comes; nil: none is waited for.
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

  /// Begins with what waits, now that its requests are served.
  func serve() {
    isServed = true
    resume()
  }

  /// Goes on with what waits, after an answer.
  func resume() {
    guard let context else { return }
    feed(context)
    context.fireChannelReadComplete()
  }

  private func feed(_ context: ChannelHandlerContext) {
    guard !isFeeding else { return }
    isFeeding = true
    while pause == nil, let piece = nextPiece(context) {
      let count = piece.readableBytes
      guard progress.read(count) else {
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

  /// nil: there is none, or it is not its turn.
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

  /// Nothing is left of what waits, and its turn is that of another one.
  private func giveUp() {
    waiting = ByteBuffer()
    guard let pause else { return }
    pause.cancel()
    self.pause = nil
    turns[takenCount - 1].giveBack()
  }

  /// Tells of the end of the other side after what it sent. A stream ends with it, for nothing that waits comes after it.
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
