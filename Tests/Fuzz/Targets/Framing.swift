import StepperInterfaces
import Varlink

extension FuzzTarget {
  /// A header of six bytes says how the stream after it is cut and how slowly the client reads.
  static let framing = FuzzTarget("framing", upTo: 4_096, within: .milliseconds(1_000)) { input in
    var source = ByteSource(input)
    let limits = VarlinkServerConnection.Limits(
      call: [65_536, 16 + Int(source.byte())][source.index(below: 2)],
      output: [65_536, 1 + Int(source.byte()) * 8][source.index(below: 2)])
    var seed = UInt64(source.byte()) + 1
    let pieces = 1 + source.index(below: 64)
    let stream = source.remainder()
    func random(upTo most: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return 1 + Int(seed >> 33) % most
    }
    let whole = try Conversation(stream, limits: limits, cut: { stream.count + 1 }, taken: { .max })
    let cut = try Conversation(
      stream, limits: limits, cut: { random(upTo: pieces) }, taken: { random(upTo: pieces) })
    try require(whole.calls == cut.calls, "cut up, the calls are \(cut.calls) and not \(whole.calls)")
    try require(
      whole.violation == cut.violation,
      "cut up, the end is \(cut.violation ?? "none") and not \(whole.violation ?? "none")")
    try require(whole.output == cut.output, "cut up, the replies are others")
    try whole.checkReplies()
  }
}

/// A connection from its beginning to its end, with a service that answers everything.
private struct Conversation {
  private(set) var calls: [VarlinkCall] = []
  private(set) var violation: String?
  private(set) var output: [UInt8] = []

  private static let service = VarlinkService(
    vendor: "v", product: "p", version: "1", url: "u", interfaces: InterfaceDescription.stepperd)
  /// A call with `more` has so many replies that continue.
  private static let streamed = 3

  /// The socket has `cut` bytes to read at a time, and takes `taken` at most when written to.
  init(
    _ stream: [UInt8], limits: VarlinkServerConnection.Limits, cut: () -> Int, taken: () -> Int
  ) throws {
    var connection = VarlinkServerConnection(limits: limits)
    var rest = stream[...]
    var hasEnded = false
    // Each turn reads, answers or writes something.
    for turn in 0... {
      try require(turn <= 4 * stream.count + 400_000, "the connection never ends")
      var isIdle = true
      if connection.wantsInput {
        try require(!hasEnded, "input is wanted after its end")
        if rest.isEmpty {
          connection.receiveEnd()
          hasEnded = true
        } else {
          let piece = rest.prefix(cut())
          rest = rest.dropFirst(piece.count)
          connection.receive(piece)
        }
        isIdle = false
      }
      while let call = connection.nextCall() {
        isIdle = false
        calls.append(call)
        try answer(call, on: &connection, limits)
      }
      if connection.pendingOutputCount > 0 {
        let piece = connection.output.prefix(taken())
        output += piece
        connection.didSend(piece.count)
        isIdle = false
      }
      if connection.isFinished { break }
      try require(!isIdle, "the connection waits for nothing: \(rest.count) bytes are unread")
    }
    violation = connection.violation?.reason
  }

  private func answer(
    _ call: VarlinkCall, on connection: inout VarlinkServerConnection,
    _ limits: VarlinkServerConnection.Limits
  ) throws {
    try require(
      connection.pendingOutputCount < limits.output, "a call is handed out although too many replies wait")
    try require(try VarlinkCall(decoding: call.encoded().dropLast()) == call, "\(call) is sent as another")
    if call.mode == .more {
      for _ in 0..<Self.streamed { connection.reply(NoParameters(), continues: true) }
    }
    connection.send(Self.service.answer(call) ?? VarlinkReply(parameters: call.parameters))
    try require(connection.unanswered == nil, "\(call) is unanswered after its answer")
  }

  /// A client that made the calls understands the output.
  func checkReplies() throws {
    var client = VarlinkClientConnection()
    for call in calls { client.send(call) }
    client.receive(output)
    var final = 0
    while let (_, reply) = try client.nextReply() {
      if !reply.continues { final += 1 }
      try require(
        try VarlinkReply(decoding: reply.encoded().dropLast()) == reply,
        "a reply is sent as another: \(reply)")
    }
    let expected = calls.count { $0.mode != .oneway }
    try require(final == expected, "\(expected) calls had \(final) last replies")
    try require(client.unansweredCount == 0, "a call was not answered")
  }
}
