import FoundationEssentials
import Glibc
import StepperWire
import TestSupport
import Testing

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
    try knob.turn(2)
    let turn = try moments(follower, count: 2)
    #expect(turn.map(\.moment) == [.increment, .maximum] && turn.map(\.effect) == [.heavy, .heavy])
    #expect(turn.last?.speech == "Volume, 3 %, Maximum value")
    try knob.turn(1)
    #expect(try moments(follower, count: 1).map(\.moment) == [.limit])
  }

  @Test func `a slow reader of moments loses some and is told how many`() throws {
    let daemon = try RunningDaemon(Self.panel.replacing("maximum = 3", with: "maximum = 1000000"))
    let (follower, knob) = (try daemon.client(), try daemon.client())
    try follower.send(Control.SubscribeMoments.self, .init())
    _ = try follower.reply()
    let count = 5_000
    for _ in 0..<count { try knob.turn(1, oneway: true) }
    #expect(try knob.state().value == Double(count))
    var (seen, dropped) = (0, Int64(0))
    while seen + Int(dropped) < count {
      let reply = try follower.reply().decode(Control.SubscribeMoments.Reply.self)
      seen += reply.moments.count { $0.moment == .increment }
      dropped += reply.dropped
    }
    #expect(seen + Int(dropped) == count && dropped > 0)
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
    let isThere = Deadline(in: 10).wait {
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
      Deadline(in: 10).wait { FileManager.default.fileExists(atPath: "\(folder.path)/limit-3") })
  }

  @Test func `a hook that fails is a problem in the status, and the knob goes on`() throws {
    let daemon = try RunningDaemon(Self.panel + "on-change = [\"/nonexistent/program\"]")
    let client = try daemon.client()
    for _ in 0..<3 { try client.turn(1) }
    #expect(try client.state().value == 3)
    try daemon.process.expectOutput("/nonexistent/program", within: 10)
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
    try folder.write("#!/bin/sh\nprintf '%s|' \"$@\" >> \(folder.path)/said\n", to: "spd-say")
    #expect(unsafe chmod("\(folder.path)/spd-say", 0o755) == 0)
    let daemon = try RunningDaemon(Self.panel + "speak = \"spd-say\"", path: folder.path)
    let client = try daemon.client()
    try client.turn(1)
    try client.turn(1)
    try eventually("\(folder.path)/said", "--cancel|--|Volume, 2 %|")
  }

  /// The case to beat: a hook of a second must not run on for many seconds after the knob was let go.
  @Test func `after a hold at most one more run of a slow hook follows`() throws {
    let folder = try TemporaryFolder()
    let daemon = try RunningDaemon(
      """
      [device.panel]
      virtual = true
      [control.volume]
      maximum = 100000
      increment = "panel:plus"
      repeat = { delay = "5ms", interval = "5ms" }
      on-change = ["/bin/sh", "-c", "echo {value} >> \(folder.path)/runs; exec sleep 0.5"]
      """)
    let client = try daemon.client()
    let follower = try daemon.client()
    try follower.subscribe()
    try client.press()
    try follower.values { ($0.value ?? 0) >= 200 }
    try client.release()
    let last = try #require(try client.state().value)
    func runs() -> [String] {
      // Not there yet is empty.
      let text = (try? String(contentsOfFile: "\(folder.path)/runs", encoding: .utf8)) ?? ""
      return text.split(separator: "\n").map(String.init)
    }
    let atRelease = runs().count
    #expect(Deadline(in: 10).wait { runs().last == "\(Int(last))" })
    #expect(atRelease <= 4 && runs().count <= atRelease + 1, "\(runs())")
    #expect(!follower.hasMessageAfterReading(within: 0.7) && runs().count <= atRelease + 1)
  }
}
