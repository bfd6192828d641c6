import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// What can be felt, through the real daemon: moments, effects, lights and hooks.
@Suite(.timeLimit(.minutes(10)))
struct FeedbackTests {
  private typealias Control = ControlInterface
  private typealias Device = DeviceInterface

  static let panel = """
    [device.panel]
    virtual = true
    [control.volume]
    title = "Volume"
    unit = "%"
    maximum = 3
    increment = "panel:plus"
    rotate = { input = "panel:dial", feedback = "heavy" }

    """

  /// The next moments, as words.
  private func moments(_ client: WireClient, count: Int) throws -> [Control.MomentEvent] {
    var moments: [Control.MomentEvent] = []
    while moments.count < count {
      moments += try client.reply().decode(Control.SubscribeMoments.Reply.self).moments
    }
    return moments
  }

  @Test func `moments come in their order, with what the rules say of them and what to say`() throws {
    let daemon = try RunningDaemon(Self.panel)
    let (follower, knob) = (try daemon.client(), try daemon.client())
    try follower.send(Control.SubscribeMoments.self, .init(match: ["vol*"]))
    let first = try follower.reply().decode(Control.SubscribeMoments.Reply.self)
    #expect(first.moments.isEmpty && first.dropped == 0)
    try knob.press()
    try knob.release()
    let tap = try moments(follower, count: 4)
    #expect(tap.map(\.moment) == [.press, .increment, .release, .end])
    #expect(tap.map(\.effect) == [.none, .light, .none, .none])
    #expect(tap[1].speech == "Volume, 1 %" && tap[1].text == "1" && tap[1].device == "panel")
    try knob.turn(oneAfterTheOther: [2, 1])
    let turn = try moments(follower, count: 3)
    #expect(turn.map(\.moment) == [.increment, .maximum, .limit])
    #expect(turn.map(\.effect) == [.heavy, .heavy, .heavy])
    #expect(turn[1].speech == "Volume, 3 %, Maximum value")
  }

  @Test func `a slow reader of moments loses some and is told how many`() throws {
    let daemon = try RunningDaemon(Self.panel.replacing("maximum = 3", with: "maximum = 1000000"))
    let (follower, knob) = (try daemon.client(), try daemon.client())
    try follower.send(Control.SubscribeMoments.self, .init())
    _ = try follower.reply()
    let count = 5_000
    for _ in 0..<(count / 100) { try knob.turn(oneAfterTheOther: Array(repeating: 1, count: 100)) }
    #expect(try knob.state().value == Double(count))
    var (seen, dropped): ([Control.MomentEvent], Int) = ([], 0)
    // One for each detent, and one for the end of the turn; a turn that paused has ended more than once.
    while seen.count + dropped <= count {
      let reply = try follower.reply().decode(Control.SubscribeMoments.Reply.self)
      seen += reply.moments
      dropped += Int(reply.dropped)
    }
    #expect(dropped > 0)
    let values = seen.filter { $0.moment == .increment }.compactMap(\.value)
    #expect(zip(values, values.dropFirst()).allSatisfy(<), "each at most once")
  }

  @Test func `a device without outputs says so`() throws {
    let daemon = try RunningDaemon(Self.panel)
    let client = try daemon.client()
    try client.send(Device.PlayEffect.self, .init(device: "panel", effect: .light))
    #expect(try client.reply().failure?.decode(Device.NoSuchOutput.self)?.outputs == [])
    let light = try client.failure(
      Device.SetLight.self, .init(device: "panel", light: "LED_MUTE", brightness: 1))
    #expect(light == Device.NoSuchOutput.name)
    let unknown = try client.failure(Device.PlayEffect.self, .init(device: "knob", effect: .light))
    #expect(unknown == Device.NoSuchDevice.name)
    let bright = try client.failure(Device.SetLight.self, .init(device: "panel", light: "x", brightness: 2))
    #expect(bright == ServiceInterface.InvalidParameter.name)
  }

  /// Waits until a file that a hook writes is what it is to be.
  private func eventually(_ path: String, _ text: String) throws {
    var last = ""
    let isThere = Deadline().wait {
      // Not there yet is empty.
      last = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      return last == text
    }
    if !isThere { throw TestFailure("\(path) is \(last), not \(text)") }
  }

  @Test func `hooks are told by environment and by arguments, with the latest value`() throws {
    let folder = try TemporaryFolder()
    let daemon = try RunningDaemon(
      Self.panel + """
        on-change = ["/bin/sh", "-c", "echo \\"$STEPPER_PREVIOUS $STEPPER_VALUE $STEPPER_ORIGIN\\" >> \(folder.path)/changes"]
        on-limit = ["/bin/cp", "/proc/self/cmdline", "\(folder.path)/{moment}-{text}"]
        """)
    let client = try daemon.client()
    try client.press()
    try client.release()
    try eventually("\(folder.path)/changes", "0 1 device\n")
    try client.call(Control.Set.self, .init(control: "volume", value: 3))
    try eventually("\(folder.path)/changes", "0 1 device\n1 3 client\n")
    try client.turn(1)
    #expect(
      Deadline().wait { FileManager.default.fileExists(atPath: "\(folder.path)/limit-3") })
  }

  /// What hooks write of changes.
  private static func changes(_ folder: TemporaryFolder) -> String {
    """
    on-change = ["/bin/sh", "-c", "echo {previous} {value} {origin} >> \(folder.path)/changes"]

    """
  }

  @Test func `a change in the wakeup of a reload is told`() throws {
    let folder = try TemporaryFolder()
    let daemon = try RunningDaemon(Self.panel + Self.changes(folder))
    let (follower, client) = (try daemon.client(), try daemon.client())
    try follower.send(Control.SubscribeMoments.self, .init())
    _ = try follower.reply()
    let set = try VarlinkCall(Control.Set.self, .init(control: "volume", value: 2))
    let reload = try VarlinkCall(ManagerInterface.Reload.self, NoParameters())
    client.send(set.encoded() + reload.encoded())
    try eventually("\(folder.path)/changes", "0 2 client\n")
    #expect(try moments(follower, count: 1).map(\.moment) == [.set])
    #expect(try client.state().value == 2)
  }

  @Test func `a value that a reload changes is told`() throws {
    let folder = try TemporaryFolder()
    let text = Self.panel + Self.changes(folder)
    let daemon = try RunningDaemon(text)
    let client = try daemon.client()
    try client.call(Control.Set.self, .init(control: "volume", value: 3))
    try eventually("\(folder.path)/changes", "0 3 client\n")
    try daemon.folder.write(text.replacing("maximum = 3", with: "maximum = 2"), to: "stepperd.toml")
    try client.call(ManagerInterface.Reload.self, NoParameters())
    try eventually("\(folder.path)/changes", "0 3 client\n3 2 configuration\n")
  }

  @Test func `a device that a reload takes away and gives back is told`() throws {
    let folder = try TemporaryFolder()
    let hooks = ["connect", "disconnect"].map {
      "on-\($0) = [\"/bin/sh\", \"-c\", \"echo {moment} >> \(folder.path)/devices\"]\n"
    }.joined()
    let daemon = try RunningDaemon(Self.panel + hooks)
    try eventually("\(folder.path)/devices", "connect\n")
    let (follower, client) = (try daemon.client(), try daemon.client())
    try follower.send(Control.SubscribeMoments.self, .init())
    _ = try follower.reply()
    try daemon.folder.write("[control.volume]\nmaximum = 3\n\(hooks)", to: "stepperd.toml")
    try client.call(ManagerInterface.Reload.self, NoParameters())
    try eventually("\(folder.path)/devices", "connect\ndisconnect\n")
    try daemon.folder.write(Self.panel + hooks, to: "stepperd.toml")
    try client.call(ManagerInterface.Reload.self, NoParameters())
    try eventually("\(folder.path)/devices", "connect\ndisconnect\nconnect\n")
    #expect(try moments(follower, count: 2).map(\.moment) == [.disconnect, .connect])
  }

  @Test func `a button that a reload unbinds is let go`() throws {
    let daemon = try RunningDaemon(Self.panel)
    let (follower, client) = (try daemon.client(), try daemon.client())
    try follower.send(Control.SubscribeMoments.self, .init())
    _ = try follower.reply()
    try client.press()
    #expect(try moments(follower, count: 2).map(\.moment) == [.press, .increment])
    try daemon.folder.write(
      Self.panel.replacing("increment = \"panel:plus\"", with: ""), to: "stepperd.toml")
    try client.call(ManagerInterface.Reload.self, NoParameters())
    #expect(try moments(follower, count: 2).map(\.moment) == [.release, .end])
  }

  @Test func `a hook that fails is a problem in the status, and the knob goes on`() throws {
    let daemon = try RunningDaemon(Self.panel + "on-change = [\"/nonexistent/program\"]")
    let client = try daemon.client()
    for _ in 0..<3 { try client.turn(1) }
    #expect(try client.state().value == 3)
    try daemon.process.expectOutput("volume on-change: /nonexistent/program")
    let problems = try client.call(ManagerInterface.GetStatus.self, .init()).problems
    #expect(problems.count == 1 && problems.first?.contains("volume on-change") == true, "\(problems)")
  }

  @Test func `a hook that goes on is ended by a newer event if it is to be interrupted`() throws {
    let folder = try TemporaryFolder()
    let daemon = try RunningDaemon(
      Self.panel + """
        [control.other]
        rotate = "panel:dial"
        on-change = { command = ["/bin/sh", "-c", "echo {value} >> \(folder.path)/begun; exec sleep 60"], interrupt = true }
        """)
    let client = try daemon.client()
    try client.turn(1)
    try eventually("\(folder.path)/begun", "1\n")
    try client.turn(1)
    try eventually("\(folder.path)/begun", "1\n2\n")
    #expect(try daemon.stop() == 0)
  }

  /// The ready hook finds the program in PATH, like any other.
  @Test func `values are spoken, the latest one`() throws {
    let folder = try TemporaryFolder()
    // Written by a child: no other child that is just starting holds it open for writing, which would make it busy.
    let program = "#!/bin/sh\nprintf '%s|' \"$@\" >> \(folder.path)/said\n"
    let writing = try run(
      "/bin/sh", ["-c", #"printf %s "$1" > "$0" && chmod 755 "$0""#, "\(folder.path)/spd-say", program])
    #expect(writing.status == 0)
    let daemon = try RunningDaemon(Self.panel + "speak = \"spd-say\"", path: folder.path)
    let client = try daemon.client()
    try client.turn(oneAfterTheOther: [1, 1])
    try eventually("\(folder.path)/said", "--cancel|--|Volume, 2 %|")
  }

  /// The case to beat: a slow hook must not run on and on after the knob was let go.
  @Test func `after a hold at most one more run of a slow hook follows`() throws {
    let folder = try TemporaryFolder()
    // A run is over when it can read a line of this.
    let gate = "\(folder.path)/gate"
    #expect(unsafe mkfifo(gate, 0o600) == 0)
    let opener = unsafe open(gate, O_RDWR | O_CLOEXEC)
    defer { close(opener) }
    let daemon = try RunningDaemon(
      """
      [device.panel]
      virtual = true
      [control.volume]
      maximum = 100000
      increment = "panel:plus"
      repeat = { delay = "5ms", interval = "5ms" }
      [control.volume.on-change]
      command = ["/bin/sh", "-c", "echo {value} >> \(folder.path)/runs; read line < \(gate)"]
      timeout = "60s"
      """)
    let client = try daemon.client()
    let follower = try daemon.client()
    try follower.subscribe()
    try client.press()
    try follower.values { ($0.value ?? 0) >= 200 }
    try client.release()
    let last = try client.state()
    let value = Int(try #require(last.value))
    try eventually("\(folder.path)/runs", "1\n")
    #expect(unsafe write(opener, "\n", 1) == 1)
    try eventually("\(folder.path)/runs", "1\n\(value)\n")
    #expect(unsafe write(opener, "\n", 1) == 1)
    let status = { try client.call(ManagerInterface.GetStatus.self, .init()) }
    #expect(try status().problems.isEmpty)
    try follower.catchUp(with: last)
    #expect(!follower.hasMessage(within: 0.3), "nothing more happens")
    try eventually("\(folder.path)/runs", "1\n\(value)\n")
  }

  @Test(arguments: [("sock", "sock"), ("./sock", "sock"), ("run/sock", "run/sock")])
  func `hooks find a daemon whose socket was named from its folder`(_ path: String, _ whole: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      Self.panel + #"on-change = ["/bin/sh", "-c", "echo $STEPPERD_ADDRESS >> \#(folder.path)/address"]"#,
      to: "stepperd.toml")
    let daemon = try ChildProcess(
      "/usr/bin/env",
      ["-C", folder.path, builtProgram("stepperd"), "--user", "--config", "stepperd.toml", "--socket", path],
      environment: RunningDaemon.environment(in: folder))
    try daemon.expectOutput("Ctrl-C ends it.")
    try WireClient("\(folder.path)/\(whole)").turn(1)
    try eventually("\(folder.path)/address", "\(folder.path)/\(whole)\n")
  }
}
