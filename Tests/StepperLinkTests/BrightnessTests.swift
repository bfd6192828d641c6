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
    try bed.line("screen: the outside is disconnected: there is no /sys/class/backlight/panel")
    try bed("brightness backlight panel 100 4")
    try link.expect(at: 20)
  }

  @Test func `whose events a sandbox forbids says what the service needs`() throws {
    let (bed, folder) = (try MockBed(), try TemporaryFolder())
    try bed("brightness backlight panel 1000 250")
    let link = try LinkUnderTest(configuration("backlight:panel"))
    try folder.write("open EAFNOSUPPORT", to: "faults")
    try start(link, in: bed, faults: folder)
    try bed.line(
      "udev's events cannot be received: Address family not supported by protocol; the service needs AF_NETLINK"
    )
  }

  @Test func `whose events the kernel has dropped is read again`() throws {
    let (bed, folder) = (try MockBed(), try TemporaryFolder())
    try bed("brightness backlight panel 1000 250")
    let link = try LinkUnderTest(configuration("backlight:panel"))
    try folder.write("", to: "faults")
    try start(link, in: bed, faults: folder)
    try link.expect(at: 50)
    // The bed replaces the file, as when a device is removed and added: from now on, inotify reports no writes to it.
    try bed("firmware backlight panel 1000")
    try link.expect(at: 100)
    try folder.write("receive ENOBUFS", to: "faults")
    try bed("firmware backlight panel 250")
    try link.expect(at: 50)
    // The file that is there now is watched.
    try folder.write("", to: "faults")
    try bed("write backlight panel 360")
    try link.expect(at: 60)
  }

  /// Starts the link with the library that makes calls of udev fail, as the file `faults` of the folder says.
  private func start(_ link: LinkUnderTest, in bed: MockBed, faults folder: TemporaryFolder) throws {
    let variables =
      "LD_PRELOAD=\"$LD_PRELOAD:\(try folder.compileLibrary("udev-faults"))\" STEPPERD_UDEV_FAULTS=\"\(folder.path)/faults\""
    let program = "\(builtProgram("stepperd-link")) --config \(link.configuration) --address \(link.socket)"
    try bed.start("/bin/sh", "-c", "\(variables) exec \(program)")
  }

  @Test func `that vanishes is waited for, and the others go on`() async throws {
    let bed = try MockBed()
    try bed("brightness backlight panel 100 25")
    try bed("brightness leds front::status 100 50")
    let link = try LinkUnderTest(
      configuration(
        "backlight:panel",
        "[control.light]\n[link.light]\ncontrol = \"light\"\nto = \"led:front::status\"\ncurve = \"raw\"\n"))
    try bed.start("stepperd-link", "--config", link.configuration, "--address", link.socket)
    try link.expect(at: 50)
    try link.expect("light", at: 50)
    try bed("vanish backlight panel")
    try bed.line("screen: the outside is disconnected: /sys/class/backlight/panel is gone")
    try await link.client.set("light", to: 80)
    try expect("the light", near: 80) { Double(try bed("level leds front::status")) ?? -1 }
    #expect(try await link.client.set("volume", to: 12).value == 12)
    try bed("brightness backlight panel 100 4")
    try link.expect(at: 20)
    // Without a word of udev: the file alone is gone, and the next value finds that out.
    try bed("vanish backlight panel silently")
    try await link.client.set("volume", to: 90)
    try bed.line("screen: the outside is disconnected: ")
    try bed("brightness backlight panel 100 49")
    try link.expect(at: 70)
    try bed("signal TERM")
    #expect(try bed.waitForExit() == 0)
  }

  @Test func `that may not be written is told so once, and leaves the control alone`() async throws {
    let bed = try MockBed()
    try bed("brightness leds front::status 100 50")
    try bed("mode leds front::status 444")
    let link = try LinkUnderTest(configuration("led:front::status", "curve = \"raw\"\n"))
    try bed.start("stepperd-link", "--config", link.configuration, "--address", link.socket)
    let problem =
      "/sys/class/leds/front::status/brightness cannot be written: permission denied; see stepperd-link(8)"
    try bed.line("screen: the outside is disconnected: \(problem)")
    #expect(try await link.client.set("volume", to: 90).value == 90)
    // The hand has it for itself, through a few attempts.
    _ = Deadline(in: 2).wait { false }
    #expect(try await link.state().value == 90)
    try bed("mode leds front::status 664")
    try link.expect(at: 50)
    // It is taken away while it is used.
    try bed("mode leds front::status 444")
    try await link.client.set("volume", to: 60)
    try bed.line("screen: the outside is disconnected: \(problem)")
    try bed("signal TERM")
    #expect(try bed.waitForExit() == 0)
    #expect(bed.output.count { $0.contains("permission denied") } == 2, "\(bed.output)")
  }
}
