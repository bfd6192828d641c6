internal import NIOCore

/// Pauses accepting when a connection cannot be accepted, for example because there are no more descriptors: the kernel
/// reports it as long as one waits. First of a listener's handlers.
final class AcceptPause: ChannelInboundHandler {
  typealias InboundIn = any Channel

  /// How long, as in the daemon.
  private static let time = TimeAmount.milliseconds(900)

  private var isPaused = false

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.fireErrorCaught(error)
    guard error is IOError, !isPaused else { return }
    isPaused = true
    let channel = context.channel
    // Without this it would be reported again at once.
    channel.setOption(.autoRead, value: false).whenFailure { _ in }
    context.eventLoop.assumeIsolated().scheduleTask(in: Self.time) { [self] in
      isPaused = false
      // A listener that is closed meanwhile reads nothing.
      channel.setOption(.autoRead, value: true).whenFailure { _ in }
    }
  }
}
