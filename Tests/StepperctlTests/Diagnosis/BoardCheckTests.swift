@testable import StepperCommands
import StepperCore
import TestSupport
import Testing

@Suite struct `The checks of drivers and boards` {
  @Test(
    arguments: [
      (["rotary_encoder"], [], "driver.refused", "dmesg"),
      ([], ["rotary_encoder"], "driver.unloaded", "modprobe rotary_encoder"),
      ([], [], "driver.missing", ""),
    ] as [(Set<String>, Set<String>, String, String)])
  func `hardware without a driver is named with the module`(
    loaded: Set<String>, installed: Set<String>, name: String, command: String
  ) throws {
    let facts = try HealthySystem.facts {
      $0.kernel.platform = [.init(name: "rotary@11", compatible: "rotary-encoder", hasDriver: false)]
      ($0.kernel.loaded, $0.kernel.installed) = (loaded, installed)
    }
    #expect(facts.complaints == [name])
    #expect(facts.finding(name)?.commands.first?.contains(command) ?? command.isEmpty)
  }

  @Test func `a kernel without rotary-encoder has a remedy for its distribution`() throws {
    func finding(_ release: String, replaced: Bool = false) throws -> Finding? {
      let facts = try HealthySystem.facts {
        $0.kernel.platform = [.init(name: "rotary@11", compatible: "rotary-encoder", hasDriver: false)]
        ($0.kernel.release, $0.kernel.installed, $0.kernel.isReplaced) = (release, [], replaced)
      }
      return facts.findings.first { $0.name.hasPrefix("driver.") }
    }
    let debian = try #require(try finding("6.12.43+deb13-arm64"))
    #expect(debian.seen.contains("rotary@11") && debian.seen.contains("6.12.43+deb13-arm64"))
    guard case .advice(let advice)? = debian.remedies.first else { throw TestFailure("no advice") }
    #expect(advice.contains("CONFIG_INPUT_GPIO_ROTARY_ENCODER (that of Raspberry Pi OS has it"))
    #expect(
      try finding("6.8.0-1004-raspi")?.commands == ["sudo apt install linux-modules-extra-6.8.0-1004-raspi"])
    let upgraded = try finding("6.12.43+deb13-arm64", replaced: true)
    #expect(upgraded?.name == "driver.replaced" && upgraded?.commands == ["sudo reboot"])
  }

  @Test func `event nodes need evdev`() throws {
    let facts = try HealthySystem.facts {
      $0.inputs = []
      $0.kernel.inputsWithoutNode = ["Griffin PowerMate"]
      $0.kernel.installed = ["evdev"]
    }
    #expect(facts.finding("driver.unloaded")?.commands.first == "sudo modprobe evdev")
  }

  @Test func `a power key and an absolute knob of an overlay are corrected`() throws {
    let facts = try HealthySystem.facts { facts in
      facts.board.kind = .raspberryPi
      facts.board.file = "/boot/firmware/config.txt"
      facts.board.lines = [
        "# knob", "dtoverlay=gpio-key,gpio=22", "dtoverlay=rotary-encoder,pin_a=17,pin_b=27",
      ]
      facts.kernel.platform = ["gpio-keys", "rotary-encoder"].map {
        .init(name: $0, compatible: $0, hasDriver: true)
      }
    }
    #expect(facts.complaints == ["board.power-key", "board.absolute"])
    #expect(
      facts.finding("board.power-key")?.commands.first
        == "sudo sed -i '2s/$/,keycode=164/' /boot/firmware/config.txt")
    #expect(
      facts.finding("board.absolute")?.commands.first
        == "sudo sed -i '3s/$/,relative_axis=1,linux_axis=7/' /boot/firmware/config.txt")
  }

  @Test(arguments: [BoardFacts.Kind.raspberryPi, .armbian, .beagleBone])
  func `a board without a knob has the lines that describe one`(kind: BoardFacts.Kind) throws {
    let facts = try HealthySystem.facts { facts in
      facts.inputs = []
      facts.board.model = "Board"
      facts.board.kind = kind
      facts.board.file = "/boot/file"
    }
    let finding = try #require(facts.finding("board.empty"))
    #expect(finding.verdict == .note)
    let texts = finding.remedies.map { remedy in
      switch remedy {
      case .command(let text), .advice(let text), .line(let text, _): text
      }
    }
    #expect(texts.contains { $0.contains("rotary-encoder") })
    #expect(texts.last == "sudo reboot")
  }

  @Test func `an overlay that the device tree does not have is named`() throws {
    let facts = try HealthySystem.facts { facts in
      facts.board.kind = .raspberryPi
      facts.board.file = "/boot/firmware/config.txt"
      facts.board.lines = ["dtoverlay=rotary-encoder,pin_a=17,pin_b=27,relative_axis=1"]
    }
    #expect(facts.complaints == ["board.unapplied"])
    let finding = try #require(facts.finding("board.unapplied"))
    #expect(finding.seen.contains("nothing of /boot/firmware/config.txt line 1: dtoverlay=rotary-encoder,"))
    #expect(finding.commands == ["sudo reboot"])
  }

  @Test(arguments: [BoardFacts.Kind.raspberryPi, .other])
  func `a board whose kernel lacks rotary-encoder has buttons or advice instead`(
    kind: BoardFacts.Kind
  ) throws {
    let facts = try HealthySystem.facts { facts in
      // The power button of a Raspberry Pi 5 is no knob.
      facts.inputs[0].identity.name = "pwr_button"
      facts.inputs[0].identity.usages = [EvdevUsage(type: 1, code: 116)]
      facts.kernel.platform = [.init(name: "pwr_button", compatible: "gpio-keys", hasDriver: true)]
      facts.kernel.loaded = ["evdev", "gpio_keys"]
      (facts.kernel.release, facts.kernel.installed) = ("6.12.43+deb13-arm64", ["uhid", "uinput"])
      (facts.board.model, facts.board.kind) = ("Raspberry Pi 5", kind)
      facts.board.file = kind == .other ? nil : "/boot/firmware/config.txt"
    }
    let finding = try #require(facts.finding("board.empty"))
    #expect(
      finding.seen == "no knob, button or fader is connected to Raspberry Pi 5; of the drivers "
        + "its kernel 6.12.43+deb13-arm64 has evdev, gpio_keys, uhid, uinput, and lacks rotary_encoder")
    #expect(finding.commands == (kind == .other ? [] : ["sudo reboot"]))
    guard case .advice(let advice)? = finding.remedies.last else { throw TestFailure("no advice") }
    #expect(advice.contains("a kernel with CONFIG_INPUT_GPIO_ROTARY_ENCODER"))
    let lines = finding.remedies.compactMap { if case .line(let text, _) = $0 { text } else { nil } }
    #expect(
      lines.count == (kind == .other ? 0 : 2) && lines.allSatisfy { $0.hasPrefix("dtoverlay=gpio-key,") })
  }

  @Test func `files of overlays that the firmware lacks are named`() throws {
    let system = try FixtureSystem()
    try system.write("Raspberry Pi 4 Model B\0", to: "/proc/device-tree/model")
    try system.write("dtoverlay=gpio-key,gpio=23,keycode=115\n", to: "/boot/firmware/config.txt")
    #expect(BoardFacts(system.root).incompleteOverlays == "/boot/firmware/overlays")
    let facts = try HealthySystem.facts { $0.board = BoardFacts(system.root) }
    #expect(facts.finding("board.unapplied")?.commands == [])
    for name in ["gpio-key", "rotary-encoder"] {
      try system.write("", to: "/boot/firmware/overlays/\(name).dtbo")
    }
    #expect(BoardFacts(system.root).incompleteOverlays == nil)
  }

  @Test func `a line has the number that an editor shows, and may have a parameter without a name`() throws {
    let system = try FixtureSystem()
    try system.write("Raspberry Pi 4 Model B\0", to: "/proc/device-tree/model")
    try system.write("# knob\n\n\ndtoverlay=gpio-key,=,gpio=22\n", to: "/boot/firmware/config.txt")
    let overlay = try #require(BoardFacts(system.root).overlays("gpio-key").first)
    #expect(overlay.number == 4)
    #expect(overlay.parameters == ["": "", "gpio": "22"])
  }

  @Test(arguments: ["Documentation/boards.md", "Documentation/guides/gpio-buttons.md"])
  func `the lines of the guides are without fault, and those that the check gives`(page: String) throws {
    let lines = try TemporaryFolder.contents(ofSource: page).split(separator: "\n").map(String.init)
    let overlays = lines.filter { $0.hasPrefix("dtoverlay=") }
    #expect(overlays.count >= 3)
    func board(_ lines: [String], _ platform: [String]) throws -> Facts {
      try HealthySystem.facts { facts in
        facts.board.model = "Raspberry Pi 4"
        (facts.board.kind, facts.board.file) = (.raspberryPi, "/boot/firmware/config.txt")
        facts.board.lines = lines
        facts.kernel.platform = platform.map { .init(name: $0, compatible: $0, hasDriver: true) }
      }
    }
    #expect(try board(overlays, ["gpio-keys", "rotary-encoder"]).complaints == [])
    let unapplied = try board(overlays, []).complaints
    #expect(unapplied == overlays.map { _ in "board.unapplied" })
  }

  @Test func `a computer without a device tree has nothing about boards`() throws {
    let facts = try HealthySystem.facts { $0.inputs = [] }
    #expect(!facts.findings.contains { $0.name.hasPrefix("board.") || $0.name.hasPrefix("driver.") })
  }
}
