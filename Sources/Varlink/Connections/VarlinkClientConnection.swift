/// The client's side of one connection, without the socket: it takes calls and gives the bytes to send, and takes
/// received bytes and gives replies.
///
/// Calls may be sent before earlier ones are answered. A service answers in the order of the calls.
public struct VarlinkClientConnection: Sendable {
  /// The number of a call on its connection: call 1 is answered first, then call 2.
  public struct CallNumber: Hashable, Comparable, Sendable {
    private let number: UInt64

    fileprivate init(_ number: UInt64) { self.number = number }

    /// Whether `left` was called before `right`.
    public static func < (left: CallNumber, right: CallNumber) -> Bool { left.number < right.number }
  }

  private var framer: VarlinkFramer
  private var buffer = OutputBuffer()
  private var lastNumber: UInt64 = 0
  private var waiting: [(number: CallNumber, isMore: Bool)] = []

  /// A connection on which nothing has happened yet, for replies of up to `replyLimit` bytes; by default 16 MiB,
  /// as in sd-varlink.
  public init(replyLimit: Int = 16 << 20) { framer = VarlinkFramer(limit: replyLimit) }

  /// Sends `call`. Returns the number with which its replies come; nil for a one-way call, which has no replies.
  @discardableResult
  public mutating func send(_ call: VarlinkCall) -> CallNumber? {
    buffer.bytes += call.encoded()
    guard call.mode != .oneway else { return nil }
    lastNumber += 1
    let number = CallNumber(lastNumber)
    waiting.append((number, call.mode == .more))
    return number
  }

  /// The number of calls whose last reply has not come.
  public var unansweredCount: Int { waiting.count }

  /// Adds bytes that were read from the socket.
  public mutating func receive(_ bytes: some Sequence<UInt8>) { framer.receive(bytes) }

  /// The next reply and the call it belongs to; nil if none is complete yet.
  ///
  /// Throws for a message that is not a reply, a reply without a call, and an unexpected `continues`. The
  /// connection cannot be used after that.
  public mutating func nextReply() throws(VarlinkMessageError) -> (call: CallNumber, reply: VarlinkReply)? {
    guard let message = try framer.next() else { return nil }
    let reply = try VarlinkReply(decoding: message)
    guard let call = waiting.first else { throw VarlinkMessageError("reply without a call") }
    guard !reply.continues || (call.isMore && reply.error == nil) else {
      throw VarlinkMessageError("final reply was expected, but it continues")
    }
    if !reply.continues { waiting.removeFirst() }
    return (call.number, reply)
  }

  /// The bytes to write to the socket.
  public var output: ArraySlice<UInt8> { buffer.pending }
  /// The number of bytes to write to the socket.
  public var pendingOutputCount: Int { buffer.count }

  /// Notes that the socket accepted the first `count` bytes of ``output``.
  public mutating func didSend(_ count: Int) { buffer.didSend(count) }
}
