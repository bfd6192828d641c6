import StepperClient
import TestSupport
import Testing

@testable import stepperd_link

/// The real libasound with the control plugin of PulseAudio, on a real sound server.
@Suite(
  "A mixer of ALSA",
  .enabled(if: SoundServer.isAvailable, "needs pipewire, wireplumber, pipewire-pulse and pulseaudio-utils"))
struct MixerTests {
  private func configuration(_ target: String) -> String {
    """
    [control.volume]
    [control.mute]
    kind = "toggle"
    [link.mixer]
    control = "volume"
    mute = "mute"
    to = "\(target)"
    """
  }

  @Test func `goes both ways, with the mute`() async throws {
    let server = try SoundServer()
    try server.wpctl(volume: 30)
    let link = try LinkUnderTest(configuration("alsa:pulse/Master"), environment: server.environment)
    try link.startLink()
    try link.expect(at: 30)
    try await link.client.set("volume", to: 70)
    try expect("the sink", near: 70) { try server.volume() }
    try server.wpctl(volume: 45)
    try link.expect(at: 45)
    try server.pactl("set-sink-mute", "@DEFAULT_SINK@", "1")
    try link.expect("mute", at: 1)
    try await link.client.set("mute", to: 0)
    try expect("the mute", near: 0) { try server.isMuted() ? 1 : 0 }
  }

  @Test func `says which elements there are, and which card is not`() throws {
    let server = try SoundServer()
    let link = try LinkUnderTest(configuration("alsa:pulse/Speaker"), environment: server.environment)
    try link.startLink()
    try link.link?.expectOutput("the mixer of pulse has no element Speaker; it has Master, Capture")
    let other = try LinkUnderTest(configuration("alsa:hw:31/Master"), environment: server.environment)
    try other.startLink()
    try other.link?.expectOutput(
      "the card hw:31 has no mixer that could be opened: no such file or directory")
    // The library's own words would come with each attempt.
    #expect(other.link?.output.contains("ALSA lib") == false)
  }
}

@Suite struct `The scale of a mixer` {
  @Test func `is alsamixer's`() throws {
    // 65 steps of 1 dB; alsamixer shows 10^(dB/60) without that of the least volume.
    let places = try #require(MixerCurve.places(ofHundredths: (0...64).map { Double($0 - 64) * 100 }))
    #expect(places.first == 0 && places.last == 1)
    #expect((places[44] - 0.4139).magnitude < 0.001, "\(places[44])")
    let short = try #require(MixerCurve.places(ofHundredths: [-2_000, -1_000, 0]))
    #expect(short == [0, 0.5, 1])
    let silent = try #require(MixerCurve.places(ofHundredths: [-9_999_999, -6_000, 0]))
    #expect(silent == [0, 0.1, 1])
    #expect(MixerCurve.places(ofHundredths: [0, -100, 200]) == nil)
  }

  @Test(arguments: [RawCurve.raw, .perceptual], [1, 64, 255, 4_095, 4_096, 96_000])
  func `comes back as it went`(curve: RawCurve, most: Int) {
    let scale = RawScale(0...most, curve)
    for raw in stride(from: 0, through: most, by: max(most / 300, 1)) {
      #expect(scale.raw(scale.place(raw)) == raw)
    }
    #expect(scale.place(0) == 0 && scale.place(most) == 1)
    #expect(scale.raw(-1) == 0 && scale.raw(2) == most)
  }

  @Test(arguments: [0, Int(Int32.min), .min, .max - RawScale.mostSpan], [RawCurve.raw, .perceptual])
  func `may begin and end anywhere`(least: Int, curve: RawCurve) {
    let range = least...(least + RawScale.mostSpan)
    let scale = RawScale(range, curve)
    #expect(scale.place(.min) == 0 && scale.place(.max) == 1)
    #expect(scale.raw(0) == range.lowerBound && scale.raw(1) == range.upperBound)
    #expect(range.contains(scale.raw(0.5)))
  }
}
