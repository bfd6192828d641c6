import StepperInterfaces
import Testing
import Varlink

@Suite struct ServerConnectionTests {
  private typealias Reply = ServiceInterface.GetInterfaceDescription.Reply

  @Test func `a message may arrive one byte at a time`() {
    let calls = ["a.One", "a.Two", "a.Three"]
    let bytes = calls.flatMap { VarlinkCall($0).encoded() }
    for size in 1...bytes.count {
      var connection = VarlinkServerConnection()
      var received: [String] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        connection.receive(bytes[start..<min(start + size, bytes.count)])
        while let call = connection.nextCall() {
          received.append(call.method)
          connection.reply(Reply(description: call.method))
        }
      }
      #expect(received == calls)
      #expect(texts(connection.output) == calls.map { #"{"parameters":{"description":"\#($0)"}}"# })
    }
  }

  @Test func `no later call is handed out before the one before it is answered`() {
    var connection = connection(receiving: VarlinkCall("a.Follow", mode: .more), VarlinkCall("a.Get"))
    #expect(connection.nextCall()?.method == "a.Follow")
    connection.reply(Reply(description: "1"), continues: true)
    #expect(connection.nextCall() == nil)
    connection.reply(Reply(description: "2"))
    #expect(connection.nextCall()?.method == "a.Get")
    connection.reply(Reply(description: "3"), continues: true)
    #expect(connection.unanswered == nil)
    #expect(
      texts(connection.output) == [
        #"{"parameters":{"description":"1"},"continues":true}"#, #"{"parameters":{"description":"2"}}"#,
        #"{"parameters":{"description":"3"}}"#,
      ])
  }

  @Test func `a one-way call has no reply, not even an error`() {
    var connection = connection(
      receiving: VarlinkCall("a.B", mode: .oneway), VarlinkCall("a.C", mode: .oneway))
    #expect(connection.nextCall()?.method == "a.B")
    connection.reply(Reply(description: "1"))
    #expect(connection.nextCall()?.method == "a.C")
    connection.fail(ServiceInterface.PermissionDenied())
    #expect(connection.nextCall() == nil)
    #expect(connection.pendingOutputCount == 0)
  }

  @Test func `calls wait while too many replies wait`() {
    var connection = VarlinkServerConnection(limits: .init(output: 100))
    for _ in 1...3 { connection.receive(VarlinkCall("a.B").encoded()) }
    #expect(connection.nextCall() != nil)
    connection.reply(Reply(description: String(repeating: "x", count: 100)))
    #expect(connection.wantsInput == false)
    #expect(connection.nextCall() == nil)
    #expect(connection.hasCall == false)
    connection.didSend(connection.pendingOutputCount - 99)
    #expect(connection.hasCall == true)
    #expect(connection.wantsInput == false, "the calls that are here come first")
    #expect(connection.nextCall() != nil)
  }

  @Test func `a call waits for room and nothing else, also after the end of the input`() {
    var connection = VarlinkServerConnection(limits: .init(output: 100))
    for _ in 1...3 { connection.receive(VarlinkCall("a.B").encoded()) }
    connection.receiveEnd()
    for left in [2, 1, 0] {
      #expect(connection.hasCall == true)
      #expect(connection.nextCall() != nil)
      connection.reply(Reply(description: String(repeating: "x", count: 100)))
      #expect(!connection.hasCall && !connection.isFinished)
      // Everything at once: whoever reads that fast is told of nothing more by the socket.
      connection.didSend(connection.pendingOutputCount)
      #expect(connection.hasCall == (left > 0) && connection.isFinished == (left == 0))
    }
  }

  @Test func `calls behind a stream wait for its end`() {
    var connection = connection(receiving: VarlinkCall("a.Follow", mode: .more), VarlinkCall("a.Get"))
    connection.receiveEnd()
    #expect(connection.nextCall()?.method == "a.Follow")
    connection.reply(Reply(description: ""), continues: true)
    connection.didSend(connection.pendingOutputCount)
    #expect(!connection.hasCall && !connection.isFinished && !connection.wantsInput)
    connection.fail(ControlInterface.Stopping())
    #expect(connection.hasCall == true)
    #expect(connection.nextCall()?.method == "a.Get")
  }

  @Test func `a reply that is too large is an error in its place, and gives its memory back`() {
    var connection = VarlinkServerConnection(limits: .init(reply: 200))
    for _ in 1...2 { connection.receive(VarlinkCall("a.B", mode: .more).encoded()) }
    _ = connection.nextCall()
    connection.reply(Reply(description: "1"), continues: true)
    connection.reply(Reply(description: String(repeating: "x", count: 1 << 20)), continues: true)
    #expect(connection.unanswered == nil, "a stream ends with it")
    #expect(connection.memory < 10_000)
    _ = connection.nextCall()
    connection.reply(["x": String(repeating: "x", count: 200)])
    let failure = #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"parameters"}}"#
    #expect(
      texts(connection.output) == [#"{"parameters":{"description":"1"},"continues":true}"#, failure, failure])
  }

  @Test func `a one-way call needs no room`() {
    var connection = VarlinkServerConnection(limits: .init(reply: 10))
    connection.receive(VarlinkCall("a.B", mode: .oneway).encoded())
    _ = connection.nextCall()
    connection.reply(Reply(description: String(repeating: "x", count: 100)))
    #expect(connection.pendingOutputCount == 0 && connection.unanswered == nil)
  }

  @Test func `a connection keeps little memory, whatever went through it`() throws {
    var connection = VarlinkServerConnection()
    // A call of nearly 64 KiB, in pieces, with more behind it.
    let large = VarlinkCall("a.B", parameters: try .init(json: filling(60_000))).encoded()
    let stream = large + VarlinkCall("a.C").encoded() + large.dropLast(100)
    for start in stride(from: 0, to: stream.count, by: 16_384) {
      connection.receive(stream[start..<min(start + 16_384, stream.count)])
      #expect(connection.memory <= 65_536 + 2 * 16_384)
      while let call = connection.nextCall() {
        #expect(connection.unanswered?.parameters == .empty, "its parameters are not kept")
        connection.reply(
          Reply(description: String(repeating: "x", count: call.method == "a.C" ? 1 : 500_000)))
        #expect(connection.memory <= 65_536 + 2 * 16_384 + 1_000_000)
        while connection.pendingOutputCount > 0 { connection.didSend(4_096) }
      }
    }
    connection.receive(large.suffix(100))
    #expect(connection.nextCall()?.method == "a.B")
    connection.reply(Reply(description: ""))
    connection.didSend(connection.pendingOutputCount)
    #expect(connection.memory <= 4_096 + 16_384)
  }

  private func filling(_ count: Int) -> [UInt8] {
    Array("{\"x\":\"".utf8) + Array(repeating: UInt8(ascii: "x"), count: count) + Array("\"}".utf8)
  }

  @Test func `output is taken in pieces`() {
    var connection = connection(receiving: VarlinkCall("a.B"))
    _ = connection.nextCall()
    connection.fail(ServiceInterface.MethodNotFound(method: "a.B"))
    var sent: [UInt8] = []
    while let byte = connection.output.first {
      sent.append(byte)
      connection.didSend(1)
    }
    #expect(
      texts(sent[...]) == [#"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"a.B"}}"#])
    connection.didSend(5)
    #expect(connection.pendingOutputCount == 0)
  }

  @Test func `a client that waits for an answer need not be read without end`() {
    var connection = VarlinkServerConnection(limits: .init(call: 100))
    connection.receive(VarlinkCall("a.Follow", mode: .more).encoded())
    #expect(connection.nextCall() != nil)
    for _ in 1...5 { connection.receive(VarlinkCall("a.B").encoded()) }
    #expect(connection.wantsInput == false)
    connection.reply(Reply(description: ""))
    for _ in 1...5 {
      #expect(connection.nextCall()?.method == "a.B")
      connection.reply(Reply(description: ""))
    }
    #expect(connection.nextCall() == nil)
    #expect(connection.wantsInput == true)
  }

  @Test(arguments: [true, false])
  func `a message may have as many bytes as the limit and no more`(_ isEnded: Bool) {
    let call = VarlinkCall("a.B").encoded()
    var fits = VarlinkServerConnection(limits: .init(call: call.count - 1))
    fits.receive(call)
    #expect(fits.nextCall() != nil)
    var exceeds = VarlinkServerConnection(limits: .init(call: call.count - 2))
    exceeds.receive(isEnded ? call[...] : call.dropLast())
    #expect(exceeds.nextCall() == nil)
    #expect(exceeds.violation?.reason == "message of more than \(call.count - 2) bytes")
  }

  @Test func `after a violation what was answered is sent and nothing more is read`() {
    var connection = VarlinkServerConnection()
    connection.receive(VarlinkCall("a.B").encoded() + Array("soup\0".utf8) + VarlinkCall("a.C").encoded())
    #expect(connection.nextCall()?.method == "a.B")
    connection.reply(Reply(description: ""))
    #expect(connection.nextCall() == nil)
    #expect(connection.violation?.reason == "message is not a JSON object")
    #expect(connection.wantsInput == false)
    #expect(connection.isFinished == false)
    connection.didSend(connection.pendingOutputCount)
    #expect(connection.isFinished == true)
    connection.receive(VarlinkCall("a.D").encoded())
    #expect(connection.nextCall() == nil)
  }

  @Test func `an empty message is a violation`() {
    var connection = VarlinkServerConnection()
    connection.receive([0])
    #expect(connection.nextCall() == nil)
    #expect(connection.violation?.reason == "empty message")
  }

  @Test func `after a half-close calls are answered and a subscription goes on`() {
    var connection = connection(receiving: VarlinkCall("a.B"), VarlinkCall("a.Follow", mode: .more))
    connection.receiveEnd()
    #expect(connection.wantsInput == false)
    #expect(connection.isFinished == false)
    #expect(connection.nextCall()?.method == "a.B")
    connection.reply(Reply(description: ""))
    connection.didSend(connection.pendingOutputCount)
    #expect(connection.isFinished == false)
    #expect(connection.nextCall()?.method == "a.Follow")
    connection.reply(Reply(description: ""), continues: true)
    connection.didSend(connection.pendingOutputCount)
    #expect(connection.nextCall() == nil)
    #expect(connection.isFinished == false)
    connection.fail(ControlInterface.Stopping())
    #expect(connection.nextCall() == nil)
    #expect(connection.isFinished == false)
    connection.didSend(connection.pendingOutputCount)
    #expect(connection.isFinished == true)
  }

  @Test func `an answer without a call goes nowhere`() {
    var connection = VarlinkServerConnection()
    connection.reply(Reply(description: ""))
    connection.fail(ServiceInterface.PermissionDenied())
    #expect(connection.pendingOutputCount == 0)
  }

  @Test func `a reply that cannot be encoded closes the connection`() {
    var connection = connection(receiving: VarlinkCall("a.B"))
    _ = connection.nextCall()
    connection.reply(ControlInterface.OutOfRange(control: "v", value: .infinity))
    #expect(connection.violation?.reason.hasPrefix("the reply to a.B cannot be sent") == true)
    #expect(connection.isOwnViolation == true)
    #expect(connection.isFinished == true)
  }

  private func connection(receiving calls: VarlinkCall...) -> VarlinkServerConnection {
    var connection = VarlinkServerConnection()
    for call in calls { connection.receive(call.encoded()) }
    return connection
  }

  private func texts(_ output: ArraySlice<UInt8>) -> [String] {
    output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
