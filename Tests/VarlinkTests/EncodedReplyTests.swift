import Testing
import Varlink

@Suite struct EncodedReplyTests {
  @Test func `a reply that is encoded once answers many calls as one that is encoded for each`() throws {
    let results = ServiceInterface.InvalidParameter(parameter: "1")
    for mode in [VarlinkCall.Mode.single, .oneway, .more] {
      for continues in [false, true] {
        var reply = EncodedReply(continues: continues)
        try reply.encode { bytes in results.appendJSON(to: &bytes) }
        for _ in 1...2 {
          var one = connection(receiving: mode)
          var other = connection(receiving: mode)
          one.reply(reply)
          other.reply(results, continues: continues)
          #expect(one.output == other.output && one.unanswered == other.unanswered)
          #expect(one.output.isEmpty == (mode == .oneway))
        }
      }
    }
  }

  @Test func `encoding replaces the former reply`() throws {
    var reply = EncodedReply(continues: false)
    for text in ["a long text", "short"] {
      try reply.encode { bytes in ServiceInterface.InvalidParameter(parameter: text).appendJSON(to: &bytes) }
      var connection = connection(receiving: .single)
      connection.reply(reply)
      #expect(texts(connection.output) == [#"{"parameters":{"parameter":"\#(text)"}}"#])
    }
  }

  @Test func `a reply that could not be encoded is a fault of the service`() throws {
    var reply = EncodedReply(continues: false)
    try reply.encode { bytes in NoParameters().appendJSON(to: &bytes) }
    #expect(throws: VarlinkMessageError.self) {
      try reply.encode { bytes throws(VarlinkMessageError) in try Double.nan.appendJSON(to: &bytes) }
    }
    var connection = connection(receiving: .more)
    connection.reply(reply)
    #expect(connection.violation?.reason == "the reply to a.B cannot be sent: it was not encoded")
    #expect(connection.output.isEmpty && connection.isFinished)
  }

  @Test func `the limit of a reply holds for one that is encoded once`() throws {
    var reply = EncodedReply(continues: true)
    try reply.encode { bytes in
      ServiceInterface.InvalidParameter(parameter: String(repeating: "x", count: 200)).appendJSON(to: &bytes)
    }
    var connection = VarlinkServerConnection(limits: .init(reply: 100))
    connection.receive(VarlinkCall("a.B", mode: .more).encoded())
    _ = connection.nextCall()
    connection.reply(reply)
    #expect(
      texts(connection.output) == [
        #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"parameters"}}"#
      ])
    #expect(connection.unanswered == nil)
  }

  private func connection(receiving mode: VarlinkCall.Mode) -> VarlinkServerConnection {
    var connection = VarlinkServerConnection()
    connection.receive(VarlinkCall("a.B", mode: mode).encoded())
    _ = connection.nextCall()
    return connection
  }

  /// The messages of `output`, without the NULs.
  private func texts(_ output: ArraySlice<UInt8>) -> [String] {
    output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
