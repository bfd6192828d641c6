import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// Press, Release, Turn and Slide of controls over the real socket: who holds what, and what ends it.
@Suite(.timeLimit(.minutes(10)))
struct ClientHoldTests {
  private typealias Press = ControlInterface.Press
  private typealias Release = ControlInterface.Release

  static let configuration = """
    [device.panel]
    virtual = true
    [control.volume]
    increment = "panel:plus"
    [control.page]
    kind = "choice"
    choices = ["a", "b", "c"]
    [control.bell]
    kind = "button"
    push = "panel:push"
    writable-by = "everyone"
    [control.door]
    kind = "button"
    push = "panel:push"
    [control.free]
    maximum = "none"
    [control.fixed]
    writable-by = "nobody"
    """

  private func press(
    _ client: WireClient, _ control: String = "volume", _ action: ControlInterface.Action = .increment,
    hold: String = "a", lease: Int64? = nil
  ) throws -> Press.Reply {
    try client.call(
      Press.self, .init(control: control, action: action, hold: hold, leaseMilliseconds: lease))
  }

  @discardableResult
  private func release(_ client: WireClient, _ control: String = "volume", hold: String = "a") throws
    -> ControlInterface.State
  {
    try client.call(Release.self, .init(control: control, hold: hold)).state
  }

  @Test func `the lease ends a hold at its very time, and a renewal that is late presses nothing`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let (follower, client) = (try daemon.client(), try daemon.client())
    try follower.subscribe(["volume"])
    _ = try follower.next()
    let pressed = try press(client, lease: 1_250)
    #expect(pressed.held && pressed.state.value == 1 && pressed.state.editingOrigin == .client)
    var states: [ControlInterface.State] = []
    while states.last?.editing ?? true { states += try follower.next().states }
    let isPunctual = try client.call(ManagerInterface.GetStatus.self, .init()).stalls == 0
    let last = try #require(states.last)
    #expect(last.value == 3 && last.origin == .client && last.editingOrigin == nil)
    if isPunctual {
      #expect(last.monotonicMicroseconds - pressed.state.monotonicMicroseconds == 1_250_000)
    }
    let late = try press(client, lease: 1_250)
    #expect(!late.held && late.state.value == 3 && !late.state.editing)
    try release(client)
    #expect(try press(client).state.value == 4)
  }

  @Test func `a renewal prolongs the lease and presses nothing`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let client = try daemon.client()
    let first = try press(client, "volume", .toMaximum, lease: 1_000)
    for _ in 0..<25 {
      #expect(!client.hasMessage(within: 0.05))
      #expect(try press(client, "volume", .toMaximum, lease: 10_000).held)
    }
    #expect(try client.state().editing && client.state().sequence == first.state.sequence)
    let released = try release(client)
    #expect(!released.editing && released.value == 100)
    #expect(try release(client).sequence == released.sequence, "a second release is no error")
  }

  @Test func `Renew prolongs a lease, and presses nothing when the hold has ended`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let (client, other) = (try daemon.client(), try daemon.client())
    func renew(
      _ hold: String = "a", _ control: String = "volume", _ lease: Int64? = 10_000
    ) -> ControlInterface.Renew.Parameters {
      .init(control: control, hold: hold, leaseMilliseconds: lease)
    }
    typealias Renew = ControlInterface.Renew
    let noSuchHold = ControlInterface.NoSuchHold.name
    #expect(try client.failure(Renew.self, renew()) == noSuchHold)
    let first = try press(client, "volume", .toMaximum, lease: 1_000)
    for _ in 0..<25 {
      #expect(!client.hasMessage(within: 0.05))
      let reply = try client.call(Renew.self, renew())
      #expect(reply.held && reply.state.sequence == first.state.sequence)
    }
    #expect(try other.failure(Renew.self, renew()) == noSuchHold, "it is of another connection")
    #expect(try client.failure(Renew.self, renew("a", "page")) == noSuchHold, "it is of another control")
    #expect(try client.failure(Renew.self, renew("a", "fixed")) == ControlInterface.NotWritable.name)
    #expect(try client.failure(Renew.self, renew("a b")) == ServiceInterface.InvalidParameter.name)
    #expect(try !release(client).editing)
    #expect(try client.failure(Renew.self, renew()) == noSuchHold, "it was released")
    #expect(try press(client, "volume", .decrement, lease: 100).held)
    try eventually { try !client.state().editing }
    let last = try client.state()
    #expect(try client.failure(Renew.self, renew()) == noSuchHold, "its lease has ended")
    #expect(try client.state().sequence == last.sequence)
  }

  @Test func `a name in use is an error where Renew is known, and else renews as before`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let (client, older) = (try daemon.client(), try daemon.client())
    let parameters = Press.Parameters(control: "page", action: .increment, hold: "a", leaseMilliseconds: nil)
    #expect(try press(older, "page").state.value == 1)
    #expect(try press(older, "page").held, "a client that was written before Renew")
    try release(older, "page")
    #expect(try press(client, "page").held)
    _ = try client.call(ControlInterface.Renew.self, .init(control: "page", hold: "a"))
    #expect(try client.failure(Press.self, parameters) == ControlInterface.HoldInUse.name)
    let elsewhere = Press.Parameters(control: "volume", action: .increment, hold: "a")
    #expect(try client.failure(Press.self, elsewhere) == ControlInterface.HoldInUse.name)
    #expect(try client.state(of: "page").value == 2)
    _ = try client.call(
      ControlInterface.Renew.self, .init(control: "page", hold: "a", leaseMilliseconds: 100))
    try eventually { try !client.state(of: "page").editing }
    #expect(try press(client, "volume").state.value == 1, "the name of a hold that has ended is free")
    #expect(try press(older, "page", .decrement).state.value == 1, "the other connection is as it was")
    #expect(try press(older, "page", .decrement).held)
  }

  @Test func `Renew keeps a fader, and never begins one again`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let client = try daemon.client()
    let slide = ControlInterface.Slide.Parameters(
      control: "volume", position: 0.5, hold: "f", leaseMilliseconds: 1_000)
    #expect(try client.call(ControlInterface.Slide.self, slide).state.value == 50)
    let renewal = ControlInterface.Renew.Parameters(control: "volume", hold: "f", leaseMilliseconds: 10_000)
    for _ in 0..<25 {
      #expect(!client.hasMessage(within: 0.05))
      #expect(try client.call(ControlInterface.Renew.self, renewal).held)
    }
    #expect(try client.state().editing)
    try release(client, hold: "f")
    #expect(try client.failure(ControlInterface.Renew.self, renewal) == ControlInterface.NoSuchHold.name)
    #expect(try !client.state().editing)
  }

  @Test func `a hold belongs to its connection and its name`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let follower = try daemon.client()
    var (one, other): (WireClient?, WireClient) = (try daemon.client(), try daemon.client())
    try follower.subscribe(["bell"])
    _ = try follower.next()
    #expect(try press(try #require(one), "bell", .push).held)
    // The same name of another connection is another hold, which this control has no room for.
    #expect(try !press(other, "bell", .push).held)
    try release(other, "bell")
    #expect(try other.state(of: "bell").pressed)
    one = nil
    try follower.values(of: "bell") { !$0.pressed }
    #expect(try press(other, "bell", .push).state.presses == 2)
  }

  @Test func `what is wrong is said, and holds nothing`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let client = try daemon.client()
    func failure(
      _ control: String, _ action: ControlInterface.Action = .increment, hold: String = "x",
      lease: Int64? = nil
    ) throws -> String? {
      try client.failure(
        Press.self, .init(control: control, action: action, hold: hold, leaseMilliseconds: lease))
    }
    let invalid = ServiceInterface.InvalidParameter.name
    for hold in ["", "a b", "ä", "a.b", String(repeating: "a", count: 65)] {
      #expect(try failure("volume", hold: hold) == invalid, "\(hold)")
    }
    for lease in [0, 99, 10_001, -1] as [Int64] {
      #expect(try failure("volume", lease: lease) == invalid, "\(lease)")
    }
    #expect(try failure("none") == ControlInterface.NoSuchControl.name)
    #expect(try failure("fixed") == ControlInterface.NotWritable.name)
    #expect(try failure("door", .push) == ControlInterface.NotWritable.name)
    #expect(try failure("bell", .increment) == invalid)
    #expect(try failure("free", .toMaximum) == invalid)
    #expect(try failure("volume", hold: String(repeating: "a", count: 64)) == nil)
    _ = try press(client, hold: "taken")
    #expect(try failure("volume", .decrement, hold: "taken") == invalid)
    #expect(try failure("page", hold: "taken") == invalid)
    let slide = ControlInterface.Slide.Parameters(control: "volume", position: 0.5, hold: "taken")
    #expect(try client.failure(ControlInterface.Slide.self, slide) == invalid)
    for control in ["free", "bell"] {
      #expect(
        try client.failure(
          ControlInterface.Slide.self, .init(control: control, position: 0.5, hold: "f")) == invalid)
    }
    #expect(try client.failure(ControlInterface.Turn.self, .init(control: "bell", detents: 1)) == invalid)
    #expect(
      try client.failure(ControlInterface.Set.self, .init(control: "bell", value: 1))
        == ControlInterface.NotWritable.name)
    #expect(try client.state(of: "bell").value == 0)
  }

  @Test func `a connection holds 64, and what has ended gives way`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let client = try daemon.client()
    _ = try press(client, hold: "short", lease: 100)
    for number in 1..<64 { _ = try press(client, "page", .reset, hold: "h\(number)") }
    let one = Press.Parameters(control: "page", action: .reset, hold: "more")
    try eventually { try !client.state().editing }
    #expect(try client.failure(Press.self, one) == nil)
    #expect(
      try client.failure(Press.self, .init(control: "page", action: .reset, hold: "even-more"))
        == ControlInterface.TooManyHolds.name)
    try release(client, "page", hold: "h1")
    #expect(
      try client.failure(Press.self, .init(control: "page", action: .reset, hold: "even-more")) == nil)
  }

  @Test func `moments have the name of the hold and no device`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let (follower, client) = (try daemon.client(), try daemon.client())
    try follower.send(ControlInterface.SubscribeMoments.self, .init(match: ["volume"]))
    typealias Reply = ControlInterface.SubscribeMoments.Reply
    _ = try follower.reply().decode(Reply.self)
    _ = try press(client, hold: "finger_1-a")
    try release(client, hold: "finger_1-a")
    var moments: [ControlInterface.MomentEvent] = []
    while moments.last?.moment != .end { moments += try follower.reply().decode(Reply.self).moments }
    #expect(moments.map(\.moment) == [.press, .increment, .release, .end])
    #expect(moments.allSatisfy { $0.hold == "finger_1-a" && $0.device == nil })
    try client.press()
    moments = []
    while moments.isEmpty { moments += try follower.reply().decode(Reply.self).moments }
    #expect(moments.allSatisfy { $0.hold == nil && $0.device == "panel" })
  }

  @Test func `a knob and a fader of a client's own`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let client = try daemon.client()
    let turned = try client.call(ControlInterface.Turn.self, .init(control: "volume", detents: 7)).state
    #expect(turned.value == 7 && turned.turned == 7 && turned.editingOrigin == .client)
    func slide(_ position: Double, _ lease: Int64? = nil) throws -> ControlInterface.State {
      try client.call(
        ControlInterface.Slide.self,
        .init(control: "volume", position: position, hold: "f", leaseMilliseconds: lease)
      ).state
    }
    #expect(try slide(0.25).value == 25)
    #expect(try slide(1, 100).value == 100)
    try eventually { try !client.state().editing }
    #expect(try slide(0.5).editing, "a fader that moves again is held again")
    #expect(try !release(client, hold: "f").editing)
    #expect(try client.state().value == 50)
    try client.press()
    #expect(try client.state().editingOrigin == .device)
    try client.release()
    #expect(try client.state().editingOrigin == nil)
  }

  @Test func `a reload ends what may not be held any more, and keeps the rest`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let client = try daemon.client()
    _ = try press(client, "volume", .toMaximum)
    _ = try press(client, "bell", .push, hold: "b")
    _ = try press(client, "page", .toMaximum, hold: "p")
    var text = Self.configuration.replacing("[control.bell]", with: "[control.ring]")
    text = text.replacing("[control.page]", with: "[control.page]\nwritable-by = \"nobody\"")
    try daemon.folder.write(text, to: "stepperd.toml")
    try client.call(ManagerInterface.Reload.self, .init())
    #expect(try client.state().editing && press(client, "volume", .toMaximum).held)
    #expect(try !client.state(of: "page").editing, "its client may not change it any more")
    #expect(
      try client.failure(Press.self, .init(control: "page", action: .toMaximum, hold: "p"))
        == ControlInterface.NotWritable.name)
    #expect(try !release(client, "page", hold: "p").editing)
    #expect(
      try client.failure(Release.self, .init(control: "bell", hold: "b"))
        == ControlInterface.NoSuchControl.name)
    try daemon.folder.write(Self.configuration, to: "stepperd.toml")
    try client.call(ManagerInterface.Reload.self, .init())
    #expect(try press(client, "bell", .push, hold: "b").held, "the name is free again")
    #expect(try !release(client).editing)
  }

  @Test func `stepperctl holds a button for a time, and else until it is ended`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let client = try daemon.client()
    func hold(_ arguments: [String]) throws -> ChildProcess {
      try ChildProcess(
        builtProgram("stepperctl"), ["hold"] + arguments,
        environment: ["STEPPERD_ADDRESS": "unix:\(daemon.socket)"])
    }
    let timed = try hold(["volume", "--for", "600ms"])
    #expect(try timed.waitForExit() == 0)
    #expect(timed.output.contains("volume  2"), "\(timed.output)")
    let endless = try hold(["bell", "push"])
    try eventually { try client.state(of: "bell").pressed }
    endless.signal(SIGINT)
    _ = try endless.waitForExit()
    try eventually { try !client.state(of: "bell").pressed }
    #expect(try hold(["bell", "up"]).waitForExit() == 2)
    #expect(try hold(["none"]).waitForExit() == 4)
  }

  @Test func `a recording has what clients hold, and its replay the same effects`() throws {
    let folder = try TemporaryFolder()
    let daemon = try RunningDaemon(
      Self.configuration, in: folder, arguments: ["--record", "\(folder.path)/log"])
    let client = try daemon.client()
    _ = try press(client, lease: 600)
    try eventually { try !client.state().editing }
    _ = try client.call(ControlInterface.Turn.self, .init(control: "volume", detents: -2))
    _ = try client.call(
      ControlInterface.Slide.self, .init(control: "volume", position: 0.333333, hold: "f"))
    _ = try press(client, "bell", .push, hold: "b")
    #expect(try daemon.stop() == 0)
    let text = try folder.read("log")
    for words in [
      "client press volume 1 increment -> publish volume 1 editing-by-client",
      "client release volume 1", "client turn volume -2", "client slide volume 2 333333",
      "client press bell 3 push",
    ] { #expect(text.contains(words), "\(words)\n\(text)") }
    let run = try ChildProcess(
      builtProgram("stepperctl"), ["replay", "\(folder.path)/log", "--check"], environment: [:])
    #expect(try run.waitForExit() == 0, "\(run.output)")
  }
}
