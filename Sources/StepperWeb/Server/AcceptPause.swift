internal import NIOCore

/// Pauses accepting when a connection cannot be accepted, for example for lack of descriptors: the kernel would keep reporting the
/// waiting connection. It is the first of a listener's handlers.
final class AcceptPause: ChannelInboundHandler {
  typealias InboundIn = any Channel

  /// The length of the pause, as in the daemon.
  private static let time = TimeAmount.milliseconds(900)

  private var isPaused = false

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.fireErrorCaught(error)
    guard error is IOError, !isPaused else { return }
    isPaused = true
    let channel = context.channel
    // Otherwise the failure would be reported again at once.
    channel.setOption(.autoRead, value: false).whenFailure { _ in }
    context.eventLoop.assumeIsolated().scheduleTask(in: Self.time) { [self] in
      isPaused = false
      // A listener that has been closed in the meantime reads nothing.
      channel.setOption(.autoRead, value: true).whenFailure { _ in }
    }
  }
}
