internal import HTTPTypes
internal import NIOCore

/// What the two watches of a connection share: how far its present request is, and until when it must have come further.
/// Both are used on the connection's thread alone.
final class RequestProgress {
  /// How long a request may take from its first byte to its answer.
  static let requestTime = TimeAmount.seconds(10)
  /// How long a connection may stay open without a request.
  static let idleTime = TimeAmount.seconds(75)
  /// How long a reader may take nothing of what was written.
  static let stallTime = TimeAmount.seconds(60)
  /// How long the other side may take to read a refusal before the connection is closed.
  static let lingerTime = TimeAmount.seconds(1)

  let connection: Connection
  /// The bytes that came since the request began.
  var byteCount = 0
  /// Whether what comes is thrown away: the connection is about to be closed.
  var isRefused = false
  private var deadline: Scheduled<Void>?

  init(_ connection: Connection) { self.connection = connection }

  func enter(_ phase: Connection.Phase) { connection.enter(phase) }

  /// Closes the connection after `time`, unless this is called before.
  func limit(_ time: TimeAmount?) {
    deadline?.cancel()
    let channel = connection.channel
    deadline = time.map { channel.eventLoop.scheduleTask(in: $0) { channel.close(promise: nil) } }
  }
}

/// Counts the bytes of a request's head and its time, and notes whether the other side reads. First of a connection's
/// handlers.
final class ByteWatch: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The most bytes of a head, request line included.
  static let headLimit = 16 << 10

  private let progress: RequestProgress

  init(_ progress: RequestProgress) { self.progress = progress }

  func channelActive(context: ChannelHandlerContext) {
    progress.limit(RequestProgress.requestTime)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !progress.isRefused else { return }
    if progress.connection.phase == .idle {
      progress.enter(.reading)
      progress.byteCount = 0
      progress.limit(RequestProgress.requestTime)
    }
    progress.byteCount += unwrapInboundIn(data).readableBytes
    context.fireChannelRead(data)
    if progress.connection.phase == .reading, progress.byteCount > Self.headLimit { refuseHead(context) }
  }

  private func refuseHead(_ context: ChannelHandlerContext) {
    progress.isRefused = true
    progress.limit(RequestProgress.lingerTime)
    var fields = HTTPFields()
    SecurityHeaders.standard.add(to: &fields)
    var text = "HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n"
    for field in fields { text += "\(field.name): \(field.value)\r\n" }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text + "\r\n")), promise: nil)
    context.close(mode: .output, promise: nil)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    let isWritable = context.channel.isWritable
    let phase = progress.connection.phase
    if !progress.isRefused, phase == .answering || phase == .streaming {
      progress.limit(isWritable && phase == .streaming ? nil : RequestProgress.stallTime)
    }
    if isWritable { progress.connection.drained.signal() }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    progress.limit(nil)
    progress.connection.drained.signal()
    context.fireChannelInactive()
  }
}
