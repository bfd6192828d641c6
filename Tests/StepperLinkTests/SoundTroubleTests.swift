import Glibc
import StepperClient
import TestSupport
import Testing

/// Sound servers that hang and that are killed, beside a coprocess that works.
@Suite(
  "A sound server that does wrong",
  .enabled(if: SoundServer.isAvailable, "needs pipewire, wireplumber, pipewire-pulse and pulseaudio-utils"))
struct SoundTroubleTests {
  /// Links by PulseAudio's protocol and by ALSA's plugin, each alone with the sink, and one that always works.
  enum Way: String, CaseIterable, Sendable {
    case pulse = "pulse:@DEFAULT_SINK@"
    case alsa = "alsa:pulse/Master"
  }

  private func links(_ way: Way, _ server: SoundServer) throws -> LinkUnderTest {
    let link = try LinkUnderTest("[control.volume]\n[control.other]\n", environment: server.environment)
    try link.folder.write(
      """
      [control.volume]
      [control.other]
      [link.speaker]
      control = "volume"
      to = "\(way.rawValue)"
      [link.good]
      control = "other"
      start = "control"
      command = ["/bin/sh", "-c", "exec cat >\(link.folder.path)/got"]
      """, to: "stepperd.toml")
    return link
  }

  private func expectOthersGoOn(_ link: LinkUnderTest) async throws {
    try await link.client.set("other", to: 55)
    try #require(Deadline().wait { (try? link.folder.read("got"))?.hasSuffix("value 55\n") == true })
    #expect(try await link.client.set("volume", to: 24).value == 24)
  }

  /// Both sides move again, and agree.
  private func expectBothWays(_ link: LinkUnderTest, _ server: SoundServer) async throws {
    // What had reached the server before it was stopped precedes this hand.
    try server.expectAnswer()
    // The outside begins: a value that the control did not have shows that the two have met again.
    try server.wpctl(volume: 61)
    try link.expect(at: 61, within: 60)
    try await link.client.set("volume", to: 33)
    try expect("the sink", near: 33) { try server.volume() }
  }

  private func expectPromptEnd(_ link: LinkUnderTest) throws {
    link.link?.signal(SIGTERM)
    #expect(try link.link?.waitForExit(within: 20) == 0, "\(link.link?.output ?? "")")
  }

  @Test(arguments: Way.allCases) func `by hanging at the start is told so`(_ way: Way) async throws {
    let server = try SoundServer()
    let link = try links(way, server)
    server.signalPulse(SIGSTOP)
    try link.startLink()
    try link.link?.expectOutput("speaker: the outside is disconnected: ")
    #expect(link.link?.output.contains("does not answer") == true, "\(link.link?.output ?? "")")
    try await expectOthersGoOn(link)
    server.signalPulse(SIGCONT)
    try await expectBothWays(link, server)
    // And while it hangs, the end does not wait for it.
    server.signalPulse(SIGSTOP)
    try await link.client.set("volume", to: 50)
    try expectPromptEnd(link)
  }

  @Test(arguments: Way.allCases) func `by hanging at a write is told so`(_ way: Way) async throws {
    let server = try SoundServer()
    let link = try links(way, server)
    try link.startLink()
    try link.expect(at: 100)
    server.signalPulse(SIGSTOP)
    try await link.client.set("volume", to: 70)
    try link.link?.expectOutput("speaker: the outside is disconnected: ")
    #expect(link.link?.output.contains("does not answer") == true, "\(link.link?.output ?? "")")
    try await expectOthersGoOn(link)
    server.signalPulse(SIGCONT)
    try server.expectAnswer()
    #expect(try server.volume().rounded() == 100, "a value that was not written does not arrive later")
    try await expectBothWays(link, server)
    try expectPromptEnd(link)
  }

  @Test(arguments: Way.allCases) func `by being killed while it is written to is told so`(_ way: Way)
    async throws
  {
    let server = try SoundServer()
    let link = try links(way, server)
    try link.startLink()
    try link.expect(at: 100)
    for round in 0..<3 {
      for value in 20..<40 { try await link.client.set("volume", to: Double(value + round)) }
      server.signalPulse(SIGKILL)
      for value in 40..<60 { try await link.client.set("volume", to: Double(value + round)) }
      try link.link?.expectOutput("speaker: the outside is disconnected: ")
      try await expectOthersGoOn(link)
      try server.stopPulse()
      try server.startPulse()
      try await expectBothWays(link, server)
    }
    try expectPromptEnd(link)
  }
}
