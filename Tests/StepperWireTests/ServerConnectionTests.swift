import StepperWire
import Testing

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
    #expect(!connection.wantsInput)
    #expect(connection.nextCall() == nil)
    connection.didSend(connection.pendingOutputCount - 99)
    #expect(connection.wantsInput)
    #expect(connection.nextCall() != nil)
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
    #expect(!connection.wantsInput)
    connection.reply(Reply(description: ""))
    for _ in 1...5 {
      #expect(connection.nextCall()?.method == "a.B")
      connection.reply(Reply(description: ""))
    }
    #expect(connection.nextCall() == nil)
    #expect(connection.wantsInput)
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
    #expect(!connection.wantsInput)
    #expect(!connection.isFinished)
    connection.didSend(connection.pendingOutputCount)
    #expect(connection.isFinished)
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
    #expect(!connection.wantsInput)
    #expect(!connection.isFinished)
    #expect(connection.nextCall()?.method == "a.B")
    connection.reply(Reply(description: ""))
    connection.didSend(connection.pendingOutputCount)
    #expect(!connection.isFinished)
    #expect(connection.nextCall()?.method == "a.Follow")
    connection.reply(Reply(description: ""), continues: true)
    connection.didSend(connection.pendingOutputCount)
    #expect(connection.nextCall() == nil)
    #expect(!connection.isFinished)
    connection.fail(ControlInterface.Stopping())
    #expect(connection.nextCall() == nil)
    #expect(!connection.isFinished)
    connection.didSend(connection.pendingOutputCount)
    #expect(connection.isFinished)
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
    #expect(connection.violation?.reason.hasPrefix("bug: reply to a.B") == true)
    #expect(connection.isFinished)
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
