import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// Everything a client can do wrong, against the real daemon, while another client turns the knob.
@Suite(.timeLimit(.minutes(10)))
struct ProtocolTests {
  /// Messages after which the connection is closed without a word.
  static let violations: [(name: String, message: String)] = [
    ("no JSON", "garbage"), ("an empty message", ""), ("no object", "[1]"), ("no method", "{}"),
    ("a method that is no string", #"{"method":1}"#),
    ("a flag that is no boolean", #"{"method":"org.varlink.service.GetInfo","more":1}"#),
    ("two flags", #"{"method":"org.varlink.service.GetInfo","more":true,"oneway":true}"#),
    ("an unknown member", #"{"method":"org.varlink.service.GetInfo","extra":{}}"#),
    ("parameters that are no object", #"{"method":"org.varlink.service.GetInfo","parameters":[]}"#),
    ("a duplicate member", #"{"method":"org.varlink.service.GetInfo","method":"a.b"}"#),
    ("rubbish behind the object", #"{"method":"org.varlink.service.GetInfo"} x"#),
    (
      "65 levels",
      #"{"method":"a.b","parameters":{"x":"# + String(repeating: "[", count: 64)
        + String(repeating: "]", count: 64) + "}}"
    ),
    (
      "more than 64 KiB",
      #"{"method":"a.b","parameters":{"x":""# + String(repeating: "x", count: 70_000) + #""}}"#
    ),
  ]

  /// Calls that are answered with an error, and the connection goes on.
  static let mistakes: [(call: String, error: String)] = [
    (#"{"method":"org.stepperd.control.Nothing"}"#, "org.varlink.service.MethodNotFound"),
    (#"{"method":"org.example.Nothing"}"#, "org.varlink.service.InterfaceNotFound"),
    (#"{"method":"nothing"}"#, "org.varlink.service.InvalidParameter"),
    (#"{"method":"org.stepperd.control.Get"}"#, "org.varlink.service.InvalidParameter"),
    (#"{"method":"org.stepperd.control.Get","parameters":null}"#, "org.varlink.service.InvalidParameter"),
    (
      #"{"method":"org.stepperd.control.Get","parameters":{"control":7}}"#,
      "org.varlink.service.InvalidParameter"
    ),
    (
      #"{"method":"org.stepperd.control.Get","parameters":{"control":"volume","x":1}}"#,
      "org.varlink.service.InvalidParameter"
    ),
    (
      #"{"method":"org.stepperd.control.Get","parameters":{"control":"volum"}}"#,
      "org.stepperd.control.NoSuchControl"
    ),
    (
      #"{"method":"org.stepperd.control.Set","parameters":{"control":"volume"}}"#,
      "org.varlink.service.InvalidParameter"
    ),
    (
      #"{"method":"org.stepperd.control.Set","parameters":{"control":"volume","value":1,"text":"1"}}"#,
      "org.varlink.service.InvalidParameter"
    ),
    (
      #"{"method":"org.stepperd.control.Set","parameters":{"control":"volume","value":1e300}}"#,
      "org.stepperd.control.OutOfRange"
    ),
    (
      #"{"method":"org.stepperd.control.Set","parameters":{"control":"volume","text":"loud"}}"#,
      "org.stepperd.control.NoSuchValue"
    ),
    (
      #"{"method":"org.stepperd.control.Set","parameters":{"control":"volume","value":101}}"#,
      "org.stepperd.control.OutOfRange"
    ),
    (
      #"{"method":"org.stepperd.control.Step","parameters":{"control":"volume","steps":9007199254740993}}"#,
      "org.varlink.service.InvalidParameter"
    ),
    (#"{"method":"org.stepperd.control.Subscribe"}"#, "org.varlink.service.ExpectedMore"),
    (
      #"{"method":"org.stepperd.device.Turn","parameters":{"device":"knob9","input":"dial","detents":1}}"#,
      "org.stepperd.device.NoSuchDevice"
    ),
    (
      #"{"method":"org.stepperd.device.Turn","parameters":{"device":"panel","input":"plus","detents":1}}"#,
      "org.stepperd.device.NoSuchInput"
    ),
    (
      #"{"method":"org.stepperd.device.Press","parameters":{"device":"panel","input":"dial"}}"#,
      "org.stepperd.device.NoSuchInput"
    ),
    (
      #"{"method":"org.stepperd.device.Move","parameters":{"device":"panel","input":"fader","position":1.5}}"#,
      "org.varlink.service.InvalidParameter"
    ),
    (
      #"{"method":"org.stepperd.device.Click","parameters":{"device":"panel","input":"plus","milliseconds":-1}}"#,
      "org.varlink.service.InvalidParameter"
    ),
  ]

  @Test func `bad clients are closed or answered, and the knob loses nothing`() throws {
    let daemon = try RunningDaemon(
      """
      [device.panel]
      virtual = true
      [control.volume]
      maximum = 1000000
      rotate = "panel:dial"
      """)
    let knob = try daemon.client()
    var turned: Int64 = 0
    func turn() throws {
      try knob.turn(1)
      turned += 1
    }
    for (name, message) in Self.violations {
      let client = try daemon.client()
      try turn()
      client.send(message)
      try turn()
      #expect(try client.isClosed(), "after \(name)")
    }
    let client = try daemon.client()
    for (call, error) in Self.mistakes where error != "org.stepperd.control.OutOfRange" {
      try turn()
      client.send(call)
      #expect(try client.reply().error == error, "\(call)")
    }
    #expect(try client.state().turned == turned)
    #expect(try client.state().value == Double(turned))
  }

  @Test func `mistakes are answered with the error that helps`() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    for (call, error) in Self.mistakes {
      client.send(call)
      #expect(try client.reply().error == error, "\(call)")
    }
  }

  @Test func `a message may come byte by byte, and many at once`() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    for byte in #"{"method":"org.stepperd.control.Get","parameters":{"control":"volume"}}"#.utf8 {
      client.send([byte])
    }
    client.send([0])
    #expect(try client.reply().error == nil)
    let calls = (1...100).map {
      #"{"method":"org.stepperd.control.Set","parameters":{"control":"volume","value":\#($0)}}"#
    }
    client.send(Array(calls.joined(separator: "\0").utf8) + [0])
    for value in 1...100 {
      #expect(try client.reply().decode(ControlInterface.Set.Reply.self).state.value == Double(value))
    }
  }

  @Test func `a one-way call is never answered, not even with an error`() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    client.send(
      #"{"method":"org.stepperd.control.Set","oneway":true,"parameters":{"control":"volume","value":7}}"#)
    client.send(
      #"{"method":"org.stepperd.control.Set","oneway":true,"parameters":{"control":"volume","value":700}}"#)
    #expect(try client.state().value == 7, "the first reply is this one's")
  }

  @Test(arguments: ["Check", "Save", "Reload"])
  func `a one-way call that waits for its result is done once`(_ method: String) throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    let parameters = method == "Check" ? #"{"text":"x = 1"}"# : "{}"
    for _ in 0..<20 {
      client.send(
        #"{"method":"org.stepperd.manager.\#(method)","oneway":true,"parameters":\#(parameters)}"#)
    }
    _ = try client.state()
    let status = try client.call(ManagerInterface.GetStatus.self, NoParameters())
    #expect(status.repliesSent <= 22)
  }

  @Test func `a vendor's member is ignored`() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    client.send(
      #"{"method":"org.stepperd.control.Get","parameters":{"control":"volume"},"org.example.trace":{"id":1}}"#
    )
    #expect(try client.reply().error == nil)
  }

  @Test func `who sends nothing more still gets the replies`() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    client.send(#"{"method":"org.stepperd.control.Get","parameters":{"control":"volume"}}"#)
    client.endInput()
    #expect(try client.reply().error == nil)
    #expect(try client.isClosed())
  }

  @Test func `a subscription outlives the end of its client's calls`() throws {
    let daemon = try RunningDaemon()
    let (client, knob) = (try daemon.client(), try daemon.client())
    try client.subscribe()
    client.endInput()
    #expect(try client.next().snapshot)
    try knob.turn(3)
    #expect(try client.next().states.map(\.value) == [3])
  }

  @Test func `a client that does not read costs nobody anything`() throws {
    let daemon = try RunningDaemon()
    let stalled = try daemon.client()
    let call = #"{"method":"org.stepperd.control.List"}"#
    // More replies than the kernel and the daemon together would keep.
    let message: [UInt8] = Array(call.utf8) + [0]
    for _ in 0..<400 { stalled.send(message) }
    let other = try daemon.client()
    for value in 1...50 {
      let reply = try other.call(ControlInterface.Set.self, .init(control: "volume", value: Double(value)))
      #expect(reply.state.value == Double(value))
    }
    for _ in 0..<400 { #expect(try stalled.reply().error == nil) }
  }

  @Test func `there are limits to how many connections one user has`() throws {
    let daemon = try RunningDaemon()
    let clients = try (0..<32).map { _ in try daemon.client() }
    for client in clients { _ = try client.state() }
    let one = try daemon.client()
    #expect(try one.reply().error == "org.stepperd.manager.TooManyConnections")
    #expect(try one.isClosed())
    #expect(try clients[31].state().control == "volume")
  }
}
