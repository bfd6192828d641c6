/// The service's side of one connection, without the socket: bytes and answers go in, calls and bytes come out.
///
///     connection.receive(bytes)                   // or receiveEnd() at the end of the input
///     while let call = connection.nextCall() {    // as long as connection.hasCall
///       connection.reply(…) or connection.fail(…) // at once or later; exactly one final answer per call
///     }
///     connection.didSend(write(connection.output))
///     if connection.isFinished { close }
///
/// Calls are returned one at a time and in order. While a call has no reply yet, or too many replies are
/// pending, no call is returned: ``hasCall`` is whether one is available, and may change with every method.
/// Reply to a one-way call as to any other; the reply is discarded.
public struct VarlinkServerConnection: ~Copyable, Sendable {
  /// The memory limits of one client.
  public struct Limits: Hashable, Sendable {
    /// The most bytes a call may have.
    public var call: Int
    /// While this many bytes of replies or more are waiting, no calls are read or handed out.
    public var output: Int
    /// The most bytes a reply may have. A call that needs a longer reply is answered with `InvalidParameter` for
    /// `parameters`.
    public var reply: Int

    /// 64 KiB for a call and for waiting replies, 1 MiB for one reply by default.
    public init(call: Int = 65_536, output: Int = 65_536, reply: Int = 1 << 20) {
      self.call = call
      self.output = output
      self.reply = reply
    }
  }

  /// The call that was handed out and has not had its final answer; its parameters are not kept.
  public var unanswered: VarlinkCall? { unansweredMode.map { VarlinkCall(lastMethod, mode: $0) } }
  /// Whether there is an ``unanswered`` call.
  public var hasUnanswered: Bool { unansweredMode != nil }
  /// The reason why the connection must be closed, for the log; nil if it is valid.
  ///
  /// Calls are no longer read or returned from then on. Earlier replies may still be sent.
  public private(set) var violation: VarlinkMessageError?
  /// Whether the service itself caused the ``violation``: a reply could not be encoded.
  public private(set) var isOwnViolation = false

  /// Whether to read from the socket. False while a call or too much output is waiting, and after the end of the
  /// input. So the buffer of received bytes holds at most one call and the bytes that came with its last piece.
  public var wantsInput: Bool { hasRoom && !inputHasEnded && !framer.isReady }
  /// Whether ``nextCall()`` has a call to return, or a violation to find.
  public var hasCall: Bool { hasRoom && unansweredMode == nil && framer.isReady }
  /// The length in bytes of the next call, if it was received.
  public var callCount: Int { framer.messageCount }
  /// The number of bytes of memory for received and unsent data.
  public var memory: Int { framer.capacity + buffer.capacity }
  /// The number of bytes to write to the socket.
  public var pendingOutputCount: Int { buffer.count }
  /// Whether the connection has only to be closed: all answers were sent, and the client has either broken the
  /// protocol, or ended its input and got every answer.
  public var isFinished: Bool {
    let isAnswered = inputHasEnded && unansweredMode == nil && !framer.isReady
    return buffer.count == 0 && (violation != nil || isAnswered)
  }

  /// Whether calls are read and handed out.
  private var hasRoom: Bool { violation == nil && buffer.count < limits.output }

  private let limits: Limits
  private var framer: VarlinkFramer
  private var buffer = OutputBuffer()
  private var inputHasEnded = false
  private var unansweredMode: VarlinkCall.Mode?
  /// The method of the last call: most clients repeat their calls.
  private var lastMethod = ""
  private var notes = JSONScanner.Notes()

  /// A connection on which nothing has happened yet.
  public init(limits: Limits = Limits()) {
    self.limits = limits
    framer = VarlinkFramer(limit: limits.call)
  }

  // MARK: Input

  /// Adds bytes that were read from the socket. Ignored after a violation or the end of the input.
  public mutating func receive(_ bytes: some Sequence<UInt8>) {
    guard violation == nil, !inputHasEnded else { return }
    framer.receive(bytes)
  }

  /// Notes that the client closed its sending side. Its calls are still answered; a subscription continues.
  public mutating func receiveEnd() { inputHasEnded = true }

  /// The next call; nil if there is none, the previous call has no reply yet, or too many replies are pending.
  public mutating func nextCall() -> VarlinkCall? {
    guard hasCall else { return nil }
    do throws(VarlinkMessageError) {
      guard let (bytes, range) = try framer.nextInPlace() else { return nil }
      let call = try VarlinkCall(scanning: bytes, in: range, noting: &notes, former: lastMethod)
      lastMethod = call.method
      unansweredMode = call.mode
      return call
    } catch {
      violation = error
      return nil
    }
  }

  // MARK: Answers

  /// Answers the unanswered call with `results`. If it was called with `more` and the reply `continues`, the call
  /// stays unanswered. Ignored without an unanswered call.
  ///
  /// Results that cannot be encoded, because a number is not finite, are a ``violation`` by the service itself.
  public mutating func reply(_ results: some JSONWritable, continues: Bool = false) {
    reply(continues: continues) { bytes throws(VarlinkMessageError) in
      try VarlinkParameters.append(results, to: &bytes)
    }
  }

  /// Answers the unanswered call with `error`, which is always final.
  public mutating func fail(_ error: some VarlinkError) { send(VarlinkReply(VarlinkFailure(error))) }

  /// Answers the unanswered call with `failure`, which is always final.
  public mutating func fail(_ failure: VarlinkFailure) { send(VarlinkReply(failure)) }

  /// Answers the unanswered call with `reply`.
  public mutating func send(_ reply: VarlinkReply) {
    self.reply(error: reply.error, continues: reply.continues) { bytes in bytes += reply.parameters.text }
  }

  /// Answers like ``reply(_:continues:)``, with the JSON object that `write` appends. If `error` is given, the object
  /// holds the parameters of that error, and the reply is final.
  public mutating func reply(
    error: String? = nil, continues: Bool = false,
    writing write: (inout [UInt8]) throws(VarlinkMessageError) -> Void
  ) {
    guard let mode = unansweredMode else { return }
    let continues = continues && mode == .more && error == nil
    if !continues { unansweredMode = nil }
    guard mode != .oneway else { return }
    let start = buffer.bytes.count
    do throws(VarlinkMessageError) {
      VarlinkReply.begin(error: error, in: &buffer.bytes)
      try write(&buffer.bytes)
      VarlinkReply.end(continues: continues, in: &buffer.bytes)
      guard buffer.bytes.count - start > limits.reply else { return }
      buffer.removeAll(from: start)
      let tooLarge = ServiceInterface.InvalidParameter(parameter: "parameters")
      VarlinkReply(VarlinkFailure(tooLarge)).encode(into: &buffer.bytes)
    } catch {
      buffer.removeAll(from: start)
      violation = VarlinkMessageError("the reply to \(lastMethod) cannot be sent: \(error)")
      isOwnViolation = true
    }
    unansweredMode = nil
  }

  // MARK: Output

  /// The bytes to write to the socket.
  public var output: ArraySlice<UInt8> { buffer.pending }

  /// Notes that the socket accepted the first `count` bytes of ``output``.
  public mutating func didSend(_ count: Int) { buffer.didSend(count) }
}
