import StepperInterfaces
import Testing
import Varlink

@Suite struct ClientConnectionTests {
  @Test func `replies belong to the calls in their order`() throws {
    var client = VarlinkClientConnection()
    let follow = client.send(VarlinkCall("a.Follow", mode: .more))
    #expect(client.send(VarlinkCall("a.Tell", mode: .oneway)) == nil)
    let get = client.send(VarlinkCall("a.Get"))
    let sent = client.output.split(separator: 0)
    #expect(try sent.map { try VarlinkCall(decoding: $0).method } == ["a.Follow", "a.Tell", "a.Get"])
    client.didSend(client.pendingOutputCount)
    #expect(client.pendingOutputCount == 0)
    client.receive(VarlinkReply(continues: true).encoded() + VarlinkReply().encoded())
    client.receive(VarlinkReply(VarlinkFailure(ControlInterface.NoSuchControl(control: "x"))).encoded())
    #expect(try client.nextReply()?.call == follow)
    #expect(client.unansweredCount == 2)
    #expect(try client.nextReply()?.call == follow)
    let last = try client.nextReply()
    #expect(last?.call == get)
    #expect(last?.reply.failure?.decode(ControlInterface.NoSuchControl.self)?.control == "x")
    #expect(last?.reply.failure?.decode(ControlInterface.Stopping.self) == nil)
    #expect(throws: VarlinkReplyError.self) { try last?.reply.decode(NoParameters.self) }
    #expect(try client.nextReply() == nil)
    #expect(client.unansweredCount == 0)
  }

  @Test func `a reply without a call and one that wrongly continues are refused`() {
    var client = VarlinkClientConnection()
    client.receive(VarlinkReply().encoded())
    #expect(throws: VarlinkMessageError.self) { try client.nextReply() }
    var other = VarlinkClientConnection()
    other.send(VarlinkCall("a.Get"))
    other.receive(VarlinkReply(continues: true).encoded())
    #expect(throws: VarlinkMessageError.self) { try other.nextReply() }
  }

  @Test func `fields and members a client does not know are ignored`() throws {
    let text = #"{"parameters":{"description":"d","new":1},"continues":false,"trace":7}"#
    let reply = try VarlinkReply(decoding: text.utf8)
    #expect(try reply.decode(ServiceInterface.GetInterfaceDescription.Reply.self).description == "d")
  }
}
