import Glibc
@testable import StepperCommands
import StepperCore
import StepperLinux
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `Facts from files` {
  private func facts(
    _ system: FixtureSystem, _ environment: [String: String] = [:], units: [String: UnitFacts] = [:]
  ) -> Facts {
    let caller = CallerFacts(
      identity: Identity(user: 0, groups: [0]), environment: environment, version: "1.0")
    return Facts(
      system.root, caller: caller,
      daemons: [DaemonFacts(address: DaemonFacts.systemAddress, answer: .noSocket)], units: units)
  }

  @Test func `of an empty tree have no daemon and no other fault`() throws {
    #expect(facts(try FixtureSystem()).complaints == ["daemon.stopped"])
  }

  @Test func `have the device with what udev knows of it`() throws {
    let system = try FixtureSystem()
    try system.addInput(
      "event5", name: "Griffin PowerMate", modalias: "b0003v077Dp0410e0400-e0,1,2,k100,r7,amlsfw", rel: "80",
      key: String(repeating: "0 ", count: 0) + "1" + String(repeating: " 0", count: 256 / UInt.bitWidth),
      record: "S:input/by-id/knob\nI:1\nE:STEPPERD_DEVICE=1\nG:seat\n")
    let input = try #require(facts(system).inputs.first)
    #expect(input.identity.usages == [.relative(7), .key(0x100)])
    #expect(input.identity.links == ["/dev/input/by-id/knob"])
    #expect(input.identity.properties["STEPPERD_DEVICE"] == "1")
    #expect(input.identity.vendor == 0x077d && input.modalias.hasPrefix("b0003v077D"))
    #expect(input.node?.kind == .file)
  }

  @Test func `have units as systemd shows them`() {
    let units = [String: UnitFacts](
      shown: """
        Id=stepperd.service
        LoadState=loaded
        UnitFileState=enabled
        FragmentPath=/usr/lib/systemd/system/stepperd.service
        DropInPaths=/etc/systemd/system/stepperd.service.d/50-x.conf /run/systemd/system/stepperd.service.d/60-y.conf
        ActiveState=inactive
        ExecStart={ path=/usr/bin/stepperd ; argv[]=/usr/bin/stepperd --config /etc/x.toml ; ignore_errors=no }
        User=c
        Group=
        DeviceAllow=y rw
        DeviceAllow=z r
        NoNewPrivileges=no

        Id=stepperd.socket
        LoadState=masked
        UnitFileState=masked
        ActiveState=active

        Id=thd.service
        LoadState=not-found
        """)
    let service = units["stepperd.service"]
    #expect(service?["User"] == "c" && service?["Group"] == nil)
    #expect(service?.lines("DeviceAllow") == ["y rw", "z r"])
    #expect(service?.isOn("NoNewPrivileges") == false)
    #expect(service?.isInstalled == true && service?.isEnabled == true)
    #expect(service?.words("DropInPaths").count == 2)
    #expect(units["stepperd.socket"]?.isMasked == true)
    #expect(units["thd.service"]?.isInstalled == false)
    #expect(units.wouldStartService)
    let facts = Facts(
      SystemRoot("/nonexistent"),
      caller: CallerFacts(identity: HealthySystem.alice, environment: [:], version: "1.0"), daemons: [],
      units: units)
    #expect(facts.complaints.contains("unit.masked"))
    #expect(facts.configuration.path == "/etc/x.toml" || facts.configuration.path == nil)
  }

  @Test func `have no units where systemd does not answer`() throws {
    #expect([String: UnitFacts](shown: "") == [:])
    #expect(facts(try FixtureSystem()).finding("unit.unknown")?.verdict == .note)
  }

  @Test func `have the rules, a mask of them and the entries`() throws {
    let system = try FixtureSystem()
    try system.write("ENV{STEPPERD_DEVICE}\n", to: "/usr/lib/udev/rules.d/70-stepperd.rules")
    try system.write(
      "a:*\nb:*\n STEPPERD_DEVICE=1\n\nc:*\n X=1\n", to: "/usr/lib/udev/hwdb.d/70-stepperd.hwdb")
    try system.write("b:*\n STEPPERD_DEVICE=0\n", to: "/etc/udev/hwdb.d/71-local.hwdb")
    let udev = facts(system).udev
    #expect(udev.rules == "/usr/lib/udev/rules.d/70-stepperd.rules")
    #expect(udev.entries.map(\.pattern) == ["a:*", "b:*", "b:*"])
    #expect(udev.entries.map(\.isGiven) == [true, true, false])
    #expect(udev.database == nil)
    try system.link("/etc/udev/rules.d/70-stepperd.rules", to: "/dev/null")
    #expect(facts(system).udev.mask == "/etc/udev/rules.d/70-stepperd.rules")
  }

  @Test func `have who holds a device open`() throws {
    let system = try FixtureSystem()
    try system.write("thd\n", to: "/proc/77/comm")
    try system.link("/proc/77/fd/3", to: "/dev/input/event5")
    try system.write("KEY_VOLUMEUP 1 true\n# KEY_A\n", to: "/etc/triggerhappy/triggers.d/x.conf")
    let facts = facts(system)
    #expect(facts.processes.openers["/dev/input/event5"]?.map(\.name) == ["thd"])
    #expect(facts.rivals.first?.codes == ["KEY_VOLUMEUP": "/etc/triggerhappy/triggers.d/x.conf"])
  }

  @Test func `have the drivers and the board`() throws {
    let system = try FixtureSystem()
    try system.write("6.1.0\n", to: "/proc/sys/kernel/osrelease")
    try system.write("gpio_keys 16384 0 - Live 0x0\n", to: "/proc/modules")
    try system.write("kernel/drivers/input/evdev.ko\n", to: "/lib/modules/6.1.0/modules.builtin")
    try system.write(
      "kernel/drivers/input/misc/rotary-encoder.ko.xz: kernel/a.ko\n", to: "/lib/modules/6.1.0/modules.dep")
    try system.write("of:NrotaryT(null)Crotary-encoder\n", to: "/sys/bus/platform/devices/rotary@11/modalias")
    try system.write("Raspberry Pi 4 Model B\0", to: "/proc/device-tree/model")
    try system.write("dtoverlay=gpio-key,gpio=3\n", to: "/boot/config.txt")
    let facts = facts(system)
    #expect(facts.kernel.loaded == ["gpio_keys"] && facts.kernel.builtIn == ["evdev"])
    #expect(facts.kernel.platform.map(\.compatible) == ["rotary-encoder"])
    #expect(facts.finding("driver.unloaded")?.commands.first == "modprobe rotary_encoder")
    #expect(facts.board.model == "Raspberry Pi 4 Model B")
    #expect(facts.complaints.contains("board.power-key"))
  }

  @Test func `have the drivers of a kernel without modules, and one that was upgraded`() throws {
    let system = try FixtureSystem()
    try system.write("6.12.0\n", to: "/proc/sys/kernel/osrelease")
    try system.write("", to: "/sys/bus/platform/drivers/gpio-keys/bind")
    try system.write("pwr_button\n", to: "/sys/class/input/input0/name")
    try system.write("13:64\n", to: "/sys/class/input/input0/event0/dev")
    try system.write("10:223\n", to: "/sys/class/misc/uinput/dev")
    let whole = KernelFacts(system.root)
    #expect(whole.loaded == ["evdev", "gpio_keys", "uinput"] && !whole.isReplaced)
    #expect(whole.offers("gpio_keys") == true && whole.offers("rotary_encoder") == false)
    try system.write("", to: "/lib/modules/6.12.1/modules.dep")
    let upgraded = KernelFacts(system.root)
    #expect(upgraded.isReplaced && upgraded.offers("rotary_encoder") == nil)
  }

  @Test func `have the hook's program and the directories on the way to it`() throws {
    let system = try FixtureSystem()
    try system.write("[control.volume]\non-change = [\"panel\"]\n", to: "/etc/stepperd/stepperd.toml")
    try system.write("#!/bin/sh\n", to: "/usr/local/bin/panel")
    try system.write("stepperd:x:900:900::/:/\n", to: "/etc/passwd")
    #expect(facts(system).hooks.first?.program == "/usr/local/bin/panel")
    // The fixture's files are not executable.
    #expect(facts(system).complaints.contains("hook.denied"))
  }

  /// A reading of one of these would never end.
  @Test(arguments: [
    "/etc/stepperd/stepperd.toml", "/etc/passwd",
    "/usr/lib/udev/rules.d/70-stepperd.rules", "/etc/udev/hwdb.bin", "/proc/modules", "/boot/config.txt",
    "/etc/udev/hwdb.d/x.hwdb", "/proc/1/comm", "/var/lib/stepperd", "/etc/triggerhappy/triggers.d/x.conf",
    "/sys/class/input/event1/device/name",
  ]) func `never wait for a FIFO in place of a file`(path: String) throws {
    let system = try FixtureSystem()
    try system.makeFIFO(path)
    #expect(!facts(system).findings.isEmpty)
  }

  @Test func `are safe with names that nobody expects`() throws {
    let system = try FixtureSystem()
    try system.addInput(
      "event5", name: "\u{1b}[2J'\"$(reboot)`", modalias: "b0003v077Dp0410e0400-e0,2,r7,amlsfw", rel: "80",
      record: nil)
    try system.write(
      "[device.knob]\nmatch = { vendor = 0x77d }\n[control.x]\nrotate = \"knob:REL_X\"\n",
      to: "/etc/stepperd/stepperd.toml")
    try system.write("stepperd:x:900:900::/:/\n", to: "/etc/passwd")
    let service = try HealthySystem.unit("stepperd.service", source: "systemd/stepperd.service.in")
    for finding in facts(system, units: [service.name: service]).findings {
      #expect(!finding.seen.contains("\u{1b}"))
      #expect(!finding.commands.contains { $0.contains("$(reboot)") && !$0.contains("'") })
    }
  }
}

@Suite struct `Patterns of the hardware database` {
  @Test(arguments: [
    ("a*c", "abbc", true), ("a*c", "abbd", false), ("k[!7]*", "k74", false), ("k[!7]*", "kA4", true),
    ("k7[1-3],*", "k72,x", true), ("k7[1-3],*", "k74,x", false), ("[", "[", true), ("[]a]", "]", true),
    ("\\*", "*", true), ("\\*", "a", false), ("?", "", false), ("", "", true), ("*", "", true),
  ]) func `match as fnmatch does`(pattern: String, text: String, matches: Bool) {
    #expect(HardwareEntry(pattern: pattern, isGiven: true, file: "").matches(text) == matches)
    #expect((unsafe fnmatch(pattern, text, 0) == 0) == matches)
  }

  @Test func `take no time beyond the product of the lengths`() {
    let pattern = String(repeating: "*a", count: 2_000) + "b"
    #expect(
      !HardwareEntry(pattern: pattern, isGiven: true, file: "").matches(String(repeating: "a", count: 2_000)))
  }
}
