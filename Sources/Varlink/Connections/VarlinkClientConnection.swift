/// The client's side of one connection, without the socket: calls go in and bytes come out, bytes go in and
/// replies come out.
///
/// Calls may be sent before earlier ones are answered. A service answers in the order of the calls.
public struct VarlinkClientConnection: Sendable {
  /// A call on its connection: 1 is the first that is answered, 2 the second.
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

  /// Sends `call`. Its replies come with the number that is returned; nil for a one-way call, which has none.
  @discardableResult
  public mutating func send(_ call: VarlinkCall) -> CallNumber? {
    buffer.append { $0 += call.encoded() }
    guard call.mode != .oneway else { return nil }
    lastNumber += 1
    let number = CallNumber(lastNumber)
    waiting.append((number, call.mode == .more))
    return number
  }

  /// How many calls have not had their last reply.
  public var unansweredCount: Int { waiting.count }

  /// Bytes were read from the socket.
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

  /// The socket took the first `count` bytes of ``output``.
  public mutating func didSend(_ count: Int) { buffer.didSend(count) }
}
