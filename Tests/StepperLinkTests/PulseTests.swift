import FoundationEssentials
import Glibc
import StepperClient
import TestSupport
import Testing

/// The real programs with a real sound server.
@Suite(
  "A volume that follows the mixer",
  .enabled(if: SoundServer.isAvailable, "needs pipewire, wireplumber, pipewire-pulse and pulseaudio-utils"))
struct PulseTests {
  private static let configuration = """
    [device.panel]
    virtual = true
    [control.volume]
    rotate = "panel:dial"
    [control.mute]
    kind = "toggle"
    [link.speaker]
    control = "volume"
    mute = "mute"
    to = "pulse:@DEFAULT_SINK@"
    """

  @Test func `goes both ways, with the mute`() async throws {
    let server = try SoundServer()
    try server.wpctl(volume: 37)
    let link = try LinkUnderTest(Self.configuration, environment: server.environment)
    try link.startLink()
    try link.expect(at: 37)
    try await link.client.turn("volume", by: 3)
    try expect("the sink", near: 40) { try server.volume() }
    try server.wpctl(volume: 55)
    try link.expect(at: 55)
    try server.pactl("set-sink-mute", "@DEFAULT_SINK@", "1")
    try link.expect("mute", at: 1)
    try await link.client.set("mute", to: "off")
    try expect("the mute", near: 0) { try server.isMuted() ? 1 : 0 }
    // Beyond 100 % it is clamped, and nothing is written back.
    try server.pactl("set-sink-volume", "@DEFAULT_SINK@", "130%")
    try link.expect(at: 100)
    #expect(try server.volume() > 129)
    try link.link?.expectOutput("beyond the range of the control")
    #expect(try link.stopLink() == 0)
  }

  @Test func `follows the default sink, and waits for the server`() async throws {
    let server = try SoundServer()
    try server.pactl("set-sink-volume", "one", "30%")
    try server.pactl("set-sink-volume", "two", "60%")
    let link = try LinkUnderTest(Self.configuration, environment: server.environment)
    try link.startLink()
    try link.expect(at: 30)
    try server.makeDefault("two")
    try link.expect(at: 60)
    try await link.client.set("volume", to: 20)
    try expect("the new default", near: 20) { try server.volume(of: "two") }
    #expect(try server.volume(of: "one").rounded() == 30)

    try server.stopPulse()
    try link.link?.expectOutput("the outside is disconnected: no connection to the sound server")
    // The control goes on.
    try await link.client.turn("volume", by: 5)
    try link.expect(at: 25)
    try server.startPulse()
    // The outside begins when it is back.
    try link.expect(at: 20)
  }

  @Test func `says what is wrong, once, and goes on when it is right`() async throws {
    let server = try SoundServer()
    let link = try LinkUnderTest(
      Self.configuration.replacing("@DEFAULT_SINK@", with: "usb"), environment: server.environment)
    try link.startLink()
    try link.link?.expectOutput("speaker: the outside is disconnected: there is no sink usb")
    try server.pactl("load-module", "module-null-sink", "sink_name=usb")
    try server.pactl("set-sink-volume", "usb", "44%")
    try link.expect(at: 44)
    let module = try server.pactl("list", "short", "modules").split(separator: "\n").last {
      $0.contains("usb")
    }
    try server.pactl("unload-module", String(try #require(module).prefix { $0 != "\t" }))
    try await link.client.set("volume", to: 12)
    try server.pactl("load-module", "module-null-sink", "sink_name=usb")
    let output = try #require(link.link).output
    #expect(output.split(separator: "\n").count { $0.contains("speaker: the outside") } == 1, "\(output)")
  }

  @Test func `a loud start is lowered`() async throws {
    let server = try SoundServer()
    let link = try LinkUnderTest(Self.configuration + "\nstart-at-most = 40", environment: server.environment)
    try link.startLink()
    try link.expect(at: 40)
    try expect("the sink", near: 40) { try server.volume() }
  }

  /// How many rounds of the two hands; Scripts/stress/link does a thousand.
  private static let rounds =
    ProcessInfo.processInfo.environment["STEPPERD_LINK_ROUNDS"].flatMap { Int($0) } ?? 30

  @Test(arguments: Seed.fresh(1)) func `two hands in turn, with restarts`(seed: Seed) async throws {
    var generator = SeededGenerator(seed)
    let server = try SoundServer()
    let link = try LinkUnderTest(Self.configuration, environment: server.environment)
    try link.startLink()
    try link.expect(at: 100)
    for round in 0..<Self.rounds {
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        try await hand(link, server, &generator)
        _ = Deadline(in: .random(in: 0...0.4, using: &generator)).wait { false }
      }
      if round % 10 == 9 { try await trouble(link, server, &generator) }
      try await agree(link, server, round)
      try await oneStep(link, server, up: round.isMultiple(of: 2))
    }
    // At rest, after the last gesture, nothing is written.
    try await agree(link, server, Self.rounds)
    let (sequence, volume) = (try await link.state().sequence, try server.volume())
    _ = Deadline(in: 3).wait { false }
    #expect(try await link.state().sequence == sequence)
    #expect(try server.volume() == volume)
  }

  private func hand(_ link: LinkUnderTest, _ server: SoundServer, _ generator: inout SeededGenerator)
    async throws
  {
    if Bool.random(using: &generator) {
      try await link.client.turn("volume", by: Int64.random(in: -4...4, using: &generator))
    } else {
      try server.wpctl(volume: Double(Int.random(in: 5...95, using: &generator)))
    }
  }

  private func trouble(_ link: LinkUnderTest, _ server: SoundServer, _ generator: inout SeededGenerator)
    async throws
  {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0:
      try link.stopDaemon(SIGKILL)
      try link.startDaemon()
    case 1:
      try link.stopLink(SIGKILL)
      try link.startLink()
    case 2:
      try server.stopPulse()
      try server.startPulse()
    default: try server.makeDefault(Bool.random(using: &generator) ? "one" : "two")
    }
    // The outside begins: a value that the control does not have shows that the two have met again.
    let value = (try? await link.state())?.value
    var other = value
    while other == value { other = Double(Int.random(in: 5...95, using: &generator)) }
    try server.wpctl(volume: (other ?? 0) + 0.25)
    try link.expect(at: other ?? 0)
  }

  /// Waits until both sides are equal and the gesture is over.
  private func agree(_ link: LinkUnderTest, _ server: SoundServer, _ round: Int) async throws {
    let client = link.client
    let deadline = Deadline()
    var (control, sink) = (Double.nan, Double.nan)
    while !deadline.hasPassed {
      // The daemon may be starting.
      if let state = try? await client.get("volume"), let value = state.value {
        (control, sink) = (value, try server.volume())
        if !state.editing, (control - sink).magnitude <= 0.51 { return }
      }
      _ = Deadline(in: 0.02).wait { false }
    }
    throw TestFailure(
      "round \(round): the control is \(control), the sink \(sink):\n\(link.link?.output ?? "")")
  }

  /// At rest, one detent moves the sink by one step and nothing else.
  private func oneStep(_ link: LinkUnderTest, _ server: SoundServer, up: Bool) async throws {
    let before = try await link.state()
    let value = before.value ?? 0
    let expected = min(max(value + (up ? 1 : -1), 0), 100)
    try await link.client.turn("volume", by: up ? 1 : -1)
    do {
      try expect("the sink after a detent", near: expected, within: 0.02) { try server.volume() }
    } catch {
      let state = try await link.state()
      throw TestFailure("\(error); the control was \(before) and is \(state):\n\(link.link?.output ?? "")")
    }
    #expect(try await link.state().value == expected)
  }
}
