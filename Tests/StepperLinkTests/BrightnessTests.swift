import StepperClient
import TestSupport
import Testing

/// A backlight and a light of a bed of devices.
@Suite("A brightness", .enabled(if: MockBed.isAvailable)) struct BrightnessTests {
  private func configuration(_ target: String, _ more: String = "") -> String {
    "[control.volume]\n[link.screen]\ncontrol = \"volume\"\nto = \"\(target)\"\n\(more)"
  }

  @Test func `of a screen goes both ways, on the eye's curve`() async throws {
    let bed = try MockBed()
    try bed("brightness backlight panel 1000 250")
    let link = try LinkUnderTest(configuration("backlight:panel"))
    try bed.start("stepperd-link", "--config", link.configuration, "--address", link.socket)
    try link.expect(at: 50)
    try await link.client.set("volume", to: 10)
    try expect("the screen", near: 10) { Double(try bed("level backlight panel")) ?? -1 }
    // Another program writes the file.
    try bed("write backlight panel 360")
    try link.expect(at: 60)
    // The firmware's keys: the kernel tells udev. The bed replaces the file, which a kernel does not.
    try bed("firmware backlight panel 1000")
    try link.expect(at: 100)
  }

  @Test func `of few levels does not walk`() async throws {
    let bed = try MockBed()
    try bed("brightness leds front::status 7 3")
    let link = try LinkUnderTest(configuration("led:front::status", "curve = \"raw\"\n"))
    try bed.start("stepperd-link", "--config", link.configuration, "--address", link.socket)
    try link.expect(at: 43)
    for value in 44...56 {
      try await link.client.set("volume", to: Double(value))
      try expect("the light", near: (Double(value) * 7 / 100).rounded(), within: 0) {
        Double(try bed("level leds front::status")) ?? -1
      }
      #expect(try await link.state().value == Double(value))
    }
  }

  @Test func `that is not there is waited for`() async throws {
    let bed = try MockBed()
    let link = try LinkUnderTest(configuration("backlight:panel"))
    try bed.start("stepperd-link", "--config", link.configuration, "--address", link.socket)
    try bed.line("screen: the other side is away: there is no /sys/class/backlight/panel")
    try bed("brightness backlight panel 100 4")
    try link.expect(at: 20)
  }
}
