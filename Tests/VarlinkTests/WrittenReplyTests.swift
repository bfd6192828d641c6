import Testing
import Varlink

/// Replies whose bytes the service appends itself, as those that are encoded once for many connections.
@Suite struct WrittenReplyTests {
  @Test func `a reply that is written answers as one that is encoded`() throws {
    let results = ServiceInterface.InvalidParameter(parameter: "1")
    for mode in [VarlinkCall.Mode.single, .oneway, .more] {
      for continues in [false, true] {
        var one = connection(receiving: mode)
        var other = connection(receiving: mode)
        one.reply(continues: continues) { bytes in results.appendJSON(to: &bytes) }
        other.reply(results, continues: continues)
        #expect(one.output == other.output && one.unanswered == other.unanswered)
        #expect(one.output.isEmpty == (mode == .oneway))
      }
    }
  }

  @Test func `an error that is written is final`() throws {
    let failure = VarlinkFailure(ServiceInterface.MethodNotFound(method: "a.B"))
    for mode in [VarlinkCall.Mode.single, .oneway, .more] {
      var one = connection(receiving: mode)
      var other = connection(receiving: mode)
      one.reply(error: failure.name, continues: true) { bytes in bytes += failure.parameters.json }
      other.fail(failure)
      #expect(one.output == other.output && one.unanswered == nil && other.unanswered == nil)
    }
  }

  @Test func `a reply that could not be written is a fault of the service`() throws {
    var connection = connection(receiving: .more)
    connection.reply(continues: true) { bytes throws(VarlinkMessageError) in
      bytes += Array("half".utf8)
      try Double.nan.appendJSON(to: &bytes)
    }
    #expect(connection.violation?.reason.hasPrefix("the reply to a.B cannot be sent: ") == true)
    #expect(connection.output.isEmpty && connection.isFinished)
  }

  @Test func `the limit of a reply holds for one that is written`() throws {
    var connection = VarlinkServerConnection(limits: .init(reply: 100))
    connection.receive(VarlinkCall("a.B", mode: .more).encoded())
    _ = connection.nextCall()
    connection.reply(continues: true) { bytes in
      ServiceInterface.InvalidParameter(parameter: String(repeating: "x", count: 200)).appendJSON(to: &bytes)
    }
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
