import StepperInterfaces
import TestSupport
import Testing
import Varlink

@Suite(.timeLimit(.minutes(10)))
struct SubscriptionTests {
  @Test func `a snapshot first, then each change`() throws {
    let daemon = try RunningDaemon()
    let (follower, knob) = (try daemon.client(), try daemon.client())
    try follower.subscribe()
    let snapshot = try follower.next()
    #expect(snapshot.snapshot && snapshot.states.map(\.control) == ["volume"])
    try knob.turn(5)
    let change = try follower.next()
    #expect(!change.snapshot && change.instance == snapshot.instance)
    #expect(change.states.map(\.value) == [5] && change.states.map(\.turned) == [5])
    #expect(change.states.map(\.origin) == [.device])
    #expect(change.sequence == change.states[0].sequence)
  }

  @Test func `a client sees its own reply before the change it made`() throws {
    let daemon = try RunningDaemon()
    let (follower, caller) = (try daemon.client(), try daemon.client())
    try follower.subscribe()
    _ = try follower.next()
    let set = ControlInterface.Set.Parameters(
      control: "volume", value: 40, text: nil, clamp: nil, ifSequence: nil)
    let state = try caller.call(ControlInterface.Set.self, set).state
    #expect(state.origin == .client)
    #expect(try follower.next().states == [state])
  }

  @Test func `resuming tells what changed meanwhile, and only that`() throws {
    let daemon = try RunningDaemon(Self.twoControls)
    let knob = try daemon.client()
    let former = try daemon.client()
    try former.subscribe()
    let snapshot = try former.next()
    try knob.turn(2)
    try former.values(of: "left") { !$0.editing }
    let resumed = try daemon.client()
    try resumed.subscribe(instance: snapshot.instance, since: snapshot.sequence)
    let reply = try resumed.next()
    #expect(!reply.snapshot && reply.states.map(\.control) == ["left"])

    let upToDate = try daemon.client()
    try upToDate.subscribe(instance: reply.instance, since: reply.sequence)
    let nothing = try upToDate.next()
    #expect(!nothing.snapshot && nothing.states.isEmpty)

    let stranger = try daemon.client()
    try stranger.subscribe(instance: "another", since: reply.sequence)
    #expect(try stranger.next().snapshot)
  }

  @Test func `only the controls that match are told`() throws {
    let daemon = try RunningDaemon(Self.twoControls)
    let (follower, knob) = (try daemon.client(), try daemon.client())
    try follower.subscribe(["r*", "nothing"])
    #expect(try follower.next().states.map(\.control) == ["right"])
    try knob.turn(1)
    try knob.press("plus")
    let change = try follower.next()
    #expect(change.states.map(\.control) == ["right"] && change.coalesced == 0)
  }

  @Test func `a slow reader gets the last state, not an ever longer queue`() throws {
    let daemon = try RunningDaemon(Self.wide)
    let (follower, knob) = (try daemon.client(), try daemon.client())
    try follower.subscribe()
    for _ in 0..<200 { try knob.turn(oneAfterTheOther: Array(repeating: 1, count: 100)) }
    // The answer to this comes after all of them.
    #expect(try knob.state().value == 20_000)
    var replies = 0
    var coalesced: Int64 = 0
    var last: ControlInterface.State?
    while last?.value != 20_000 {
      let reply = try follower.next()
      replies += 1
      coalesced += reply.coalesced
      last = reply.states.last
    }
    #expect(replies < 200, "at most what stands in the kernel's buffers")
    #expect(last?.turned == 20_000)
    #expect(coalesced + Int64(replies) >= 20_000, "what was folded is counted")
  }

  @Test func `a minimum interval is kept, and the last change comes`() throws {
    let daemon = try RunningDaemon(Self.wide)
    let (follower, knob) = (try daemon.client(), try daemon.client())
    try follower.subscribe(interval: 200)
    _ = try follower.next()
    var times: [Int64] = []
    for _ in 0..<300 { try knob.turn(1) }
    let sent = try knob.state()
    while true {
      let reply = try follower.next()
      times += reply.states.map(\.monotonicMicroseconds)
      if reply.states.first?.value == sent.value { break }
    }
    #expect(times.count < 300)
  }

  @Test func `there are limits to how many subscriptions there are`() throws {
    let daemon = try RunningDaemon()
    let clients = try (0..<31).map { _ in try daemon.client() }
    for client in clients {
      try client.subscribe()
      #expect(try client.next().snapshot)
    }
    let manager = try daemon.client()
    #expect(try manager.call(ManagerInterface.GetStatus.self, NoParameters()).subscriptions == 31)
  }

  @Test func `subscribers are told when the daemon stops`() throws {
    let daemon = try RunningDaemon()
    let follower = try daemon.client()
    try follower.subscribe()
    _ = try follower.next()
    #expect(try daemon.stop() == 0)
    #expect(try follower.reply().error == "org.stepperd.control.Stopping")
    #expect(try follower.isClosed())
    #expect(!daemon.folder.contains("stepperd/org.stepperd"), "the socket is gone")
  }

  @Test func `devices can be followed`() throws {
    let daemon = try RunningDaemon()
    let follower = try daemon.client()
    try follower.send(DeviceInterface.Subscribe.self, NoParameters())
    let reply = try follower.reply().decode(DeviceInterface.Subscribe.Reply.self)
    let panel = try #require(reply.devices.first { $0.device == "panel" })
    #expect(reply.snapshot && panel.virtual && panel.state == .open)
  }

  static let wide = """
    [device.panel]
    virtual = true
    [control.volume]
    maximum = 1000000
    rotate = "panel:dial"
    """

  static let twoControls = """
    [device.panel]
    virtual = true
    [control.left]
    rotate = "panel:dial"
    [control.right]
    increment = "panel:plus"
    """
}
