import StepperClient
import Varlink

extension FuzzTarget {
  /// What a hostile daemon sends: a header of five bytes names the calls it answers, the rest is its stream.
  static let client = FuzzTarget("client", upTo: 4_096, within: .milliseconds(1_000)) { input in
    var source = ByteSource(input)
    let limit = [16 << 20, 16 + Int(source.byte())][source.index(below: 2)]
    let method = Method.all[source.index(below: Method.all.count)]
    let modes = source.byte()
    let piece = 1 + source.index(below: 64)
    let stream = source.remainder()
    let calls = (0..<4).map { index -> VarlinkCall in
      let mode: VarlinkCall.Mode = [.single, .more, .oneway, .upgrade][Int(modes >> (2 * index)) & 3]
      return VarlinkCall(method.name, mode: mode)
    }
    let whole = outcome(of: stream, calls: calls, limit: limit, piece: stream.count + 1)
    let cut = outcome(of: stream, calls: calls, limit: limit, piece: piece)
    try require(whole == cut, "cut up, the replies are \(cut) and not \(whole)")
    for (_, reply) in whole.replies {
      try method.checkReply(reply.parameters)
      try checkFailure(of: reply)
    }
    // A daemon describes itself; nobody may rely on the description being one.
    let text = String(decoding: stream, as: UTF8.self)
    let description = InterfaceDescription(name: "org.example", text: text)
    try require(description.methods.count <= stream.count / 7 + 1, "more methods than there is text")
    try require(
      description.methods.allSatisfy { $0.hasPrefix("org.example.") }, "a method of another interface")
  }

  private struct Outcome: Equatable {
    var replies: [(number: Int, reply: VarlinkReply)] = []
    var violation: String?
    var unanswered = 0

    static func == (left: Outcome, right: Outcome) -> Bool {
      left.violation == right.violation && left.unanswered == right.unanswered
        && left.replies.elementsEqual(right.replies) { $0 == $1 }
    }
  }

  private static func outcome(
    of stream: [UInt8], calls: [VarlinkCall], limit: Int, piece: Int
  ) -> Outcome {
    var connection = VarlinkClientConnection(replyLimit: limit)
    let numbers = calls.compactMap { connection.send($0) }
    connection.didSend(connection.pendingOutputCount)
    var outcome = Outcome()
    var rest = stream[...]
    do throws(VarlinkMessageError) {
      while !rest.isEmpty {
        connection.receive(rest.prefix(piece))
        rest = rest.dropFirst(piece)
        while let (call, reply) = try connection.nextReply() {
          outcome.replies.append((numbers.firstIndex(of: call) ?? -1, reply))
        }
      }
    } catch {
      outcome.violation = error.reason
    }
    outcome.unanswered = connection.unansweredCount
    return outcome
  }

  /// Every error has words for people, whatever it carries.
  private static func checkFailure(of reply: VarlinkReply) throws {
    guard let failure = reply.failure else { return }
    let error = StepperClientError(failure)
    try require(!"\(error)".isEmpty, "an error without words: \(failure)")
  }
}
