@testable import StepperCommands
import StepperCore
import StepperInterfaces
import StepperLinux
import TestSupport
import Testing

@Suite struct `The checks of devices` {
  private func facts(_ change: (inout InputFacts) -> Void) throws -> Facts {
    try HealthySystem.facts { change(&$0.inputs[0]) }
  }

  // MARK: Tables and bindings

  @Test func `a table that matches nothing takes the device that is there`() throws {
    let facts = try HealthySystem.facts {
      $0.configure(HealthySystem.configuration.replacing("Griffin PowerMate", with: "Grifin PowerMate"))
    }
    #expect(facts.complaints == ["device.unmatched"])
    let line = #"match = { vendor = 0x077d, product = 0x0410, name = "Griffin PowerMate" }"#
    #expect(
      facts.finding("device.unmatched")?.commands == [
        "sudo sed -i '2s/.*/\(line)/' /etc/stepperd/stepperd.toml", "sudo systemctl reload stepperd.service",
      ])
    let mended = try HealthySystem.facts {
      $0.configure(
        HealthySystem.configuration.replacing(#"match = { name = "Griffin PowerMate" }"#, with: line))
    }
    #expect(mended.complaints == [])
  }

  @Test func `a device that is not connected is a warning`() throws {
    let facts = try HealthySystem.facts { $0.inputs = [] }
    #expect(facts.complaints == ["device.absent"])
  }

  private static let provided = """
    [device.fader]
    match = { provider = "midi" }
    [control.level]
    absolute = "fader:ABS_VOLUME"

    """

  @Test func `a table of devices of programs is looked up in the daemon`() throws {
    func facts(_ devices: [DeviceInterface.Device], _ problems: [String] = []) throws -> Facts {
      try HealthySystem.facts {
        $0.configure(Self.provided + HealthySystem.configuration)
        guard case .status(var status, let others, _) = HealthySystem.answer() else { return }
        status.problems += problems
        $0.daemons[0].answer = .status(status, devices: others + devices, controls: ["level", "volume"])
      }
    }
    func fader(_ name: String, _ state: DeviceInterface.DeviceState) -> DeviceInterface.Device {
      DeviceInterface.Device(
        device: name, name: "Desk", virtual: false, provider: state == .absent ? nil : "midi", state: state,
        capabilities: [], outputs: [], lights: [], events: 0, overruns: 0, connects: 1)
    }
    let absent = try facts([fader("fader", .absent)])
    #expect(absent.complaints == ["device.unattached"])
    #expect(absent.finding("device.unattached")?.reason?.contains("midi") == true)
    let taken = "fader: Desk (of midi) matches, but [device.desk] is before this table and uses it"
    let shadowed = try facts([fader("fader", .absent)], [taken])
    #expect(shadowed.complaints == ["device.shadowed"], "one finding of it, and a true one")
    #expect(try facts([fader("fader", .open)]).complaints == [])
    let unused = try facts([fader("fader", .open), fader("midi-1", .unused)])
    #expect(unused.complaints == [])
    #expect(unused.finding("device.unclaimed")?.seen.contains("attached by midi") == true)
  }

  @Test func `a table behind another one that takes its device is named`() throws {
    let facts = try HealthySystem.facts {
      $0.configure(
        "[device.other]\nmatch = { vendor = 0x077d }\n" + HealthySystem.configuration
          + "\n[control.bass]\nrotate = \"other:REL_DIAL\"\n")
      $0.daemons[0].answer = HealthySystem.answer(controls: ["bass", "volume"])
    }
    #expect(facts.complaints == ["device.shadowed"])
    #expect(facts.finding("device.shadowed")?.seen.contains("[device.other]") ?? false)
  }

  @Test func `a device that no control uses has the line to write`() throws {
    let facts = try HealthySystem.facts {
      $0.configure("[device.knob]\nmatch = { name = \"Griffin*\" }\n[control.volume]\n")
    }
    #expect(facts.complaints == ["configuration.warning", "device.unbound"])
    #expect(
      facts.finding("device.unbound")?.remedies.first
        == .advice("write into a [control.NAME] table: rotate = \"knob:REL_DIAL\""))
  }

  @Test func `a code that the device does not have is replaced by the one it has`() throws {
    let facts = try HealthySystem.facts {
      $0.configure(HealthySystem.configuration.replacing("REL_DIAL", with: "REL_X"))
    }
    #expect(facts.complaints == ["binding.missing"])
    let finding = try #require(facts.finding("binding.missing"))
    #expect(finding.seen == "knob has no REL_X; it has REL_DIAL, BTN_0")
    #expect(
      finding.commands == [
        #"sudo sed -i 's/"knob:REL_X"/"knob:REL_DIAL"/' /etc/stepperd/stepperd.toml"#,
        "sudo systemctl reload stepperd.service",
      ])
  }

  @Test func `one of several codes that do the same is enough`() throws {
    let facts = try HealthySystem.facts {
      $0.configure(
        HealthySystem.configuration.replacing(
          "\"knob:REL_DIAL\"", with: "[\"knob:REL_X\", \"knob:REL_DIAL\"]"))
    }
    #expect(facts.complaints == [])
  }

  // MARK: Nodes and udev

  @Test func `a node that another group has is given back by udev`() throws {
    let facts = try facts { $0.node = FileStatus(kind: .device, mode: 0o660, owner: 0, group: 104) }
    #expect(facts.complaints == ["device.denied"])
    let finding = try #require(facts.finding("device.denied"))
    #expect(
      finding.seen
        == "stepperd may not open Griffin PowerMate (/dev/input/event5), which belongs to root:input (0660)")
    #expect(
      finding.commands == [
        "sudo udevadm control --reload",
        "sudo udevadm trigger --action=change --subsystem-match=input --sysname-match=event5",
        "sudo udevadm settle",
      ])
  }

  @Test func `a listed device that udev has not marked is looked up again`() throws {
    let facts = try facts {
      $0.node = FileStatus(kind: .device, mode: 0o660, owner: 0, group: 104)
      $0.identity.properties["STEPPERD_DEVICE"] = nil
    }
    #expect(facts.finding("device.denied")?.commands.first == "sudo systemd-hwdb update")
  }

  @Test func `a device that no entry lists gets one`() throws {
    let facts = try HealthySystem.facts {
      $0.udev.entries = []
      $0.inputs[0].node = FileStatus(kind: .device, mode: 0o660, owner: 0, group: 104)
      $0.inputs[0].identity.properties["STEPPERD_DEVICE"] = nil
    }
    #expect(facts.complaints == ["device.denied"])
    let commands = try #require(facts.finding("device.denied")?.commands)
    let pattern = "stepperd:name:Griffin PowerMate:input:b0003v077Dp0410e*"
    #expect(
      commands[1]
        == "printf '%s\\n' '\(pattern)' ' STEPPERD_DEVICE=1' '' | sudo tee -a /etc/udev/hwdb.d/71-stepperd-local.hwdb >/dev/null"
    )
    #expect(commands[2] == "sudo systemd-hwdb update")
    let mended = try HealthySystem.facts {
      $0.udev.entries = [HardwareEntry(pattern: pattern, isGiven: true, file: "")]
      $0.inputs[0].node = FileStatus(kind: .device, mode: 0o660, owner: 0, group: 104)
      $0.inputs[0].identity.properties["STEPPERD_DEVICE"] = nil
    }
    #expect(mended.finding("device.denied")?.reason?.contains("udev has not applied the entry") ?? false)
  }

  @Test func `a keyboard is given by a drop-in, and never by an entry`() throws {
    let facts = try HealthySystem.facts {
      $0.udev.entries = []
      $0.inputs[0].node = FileStatus(kind: .device, mode: 0o660, owner: 0, group: 104)
      $0.inputs[0].identity.properties = ["ID_INPUT": "1", "ID_INPUT_KEYBOARD": "1"]
    }
    let finding = try #require(facts.finding("device.denied"))
    #expect(finding.commands.contains { $0.contains("SupplementaryGroups=input") })
    #expect(!finding.commands.contains { $0.contains("hwdb") })
  }

  @Test func `a user's daemon is let in by the group of the node`() throws {
    let facts = try HealthySystem.facts {
      $0.daemons[0].address = "/run/user/1000/stepperd/org.stepperd"
      $0.caller.identity = Identity(user: 1000, groups: [1000])
      $0.state = nil
    }
    #expect(facts.complaints == ["device.denied"])
    #expect(facts.finding("device.denied")?.commands == ["sudo usermod --append --groups stepperd alice"])
  }

  @Test func `missing, hidden and stale rules are remedied`() throws {
    let missing = try HealthySystem.facts { $0.udev.rules = nil }
    #expect(missing.complaints == ["udev.missing"])
    let masked = try HealthySystem.facts { $0.udev.mask = "/etc/udev/rules.d/70-stepperd.rules" }
    #expect(masked.finding("udev.masked")?.commands.first == "sudo rm /etc/udev/rules.d/70-stepperd.rules")
    let stopped = try HealthySystem.facts { $0.udev.isRunning = false }
    #expect(stopped.finding("udev.stopped")?.commands.first == "sudo systemctl start systemd-udevd.service")
    for change in [
      { $0.database = nil }, { $0.databaseHasEntries = false }, { $0.changed = 1 },
    ] as [(inout UdevFacts) -> Void] {
      let facts = try HealthySystem.facts { change(&$0.udev) }
      #expect(facts.complaints == ["udev.database"])
      #expect(facts.finding("udev.database")?.commands.first == "sudo systemd-hwdb update")
    }
  }

  @Test func `the hardware database of the package is read as udev reads it`() throws {
    let text = try TemporaryFolder.contents(ofSource: "udev-rules/70-stepperd.hwdb")
    var udev = UdevFacts()
    udev.entries = HardwareEntry.list(text, file: "")
    #expect(udev.entry(for: HealthySystem.knob())?.isGiven ?? false)
    for (modalias, name, isGiven) in [
      ("b0019v0000p0000e0000-e0,2,kr7,amlsfw", "rotary@11", true),
      ("b0019v0000p0000e0000-e0,1,k74,ramlsfw", "button@16", false),
      ("b0019v0000p0000e0000-e0,1,kA4,ramlsfw", "button@16", true),
      ("b0003v046DpC077e0111-e0,1,2,4,k110,111,112,r0,1,8,B,am4,lsfw", "Mouse", false),
    ] {
      var input = HealthySystem.knob()
      (input.modalias, input.identity.name) = (modalias, name)
      #expect((udev.entry(for: input)?.isGiven ?? false) == isGiven, "\(name) \(modalias)")
    }
  }

  @Test func `a device that the desktop reads as well is a warning`() throws {
    let facts = try facts { $0.identity.properties["LIBINPUT_IGNORE_DEVICE"] = nil }
    #expect(facts.complaints == ["device.desktop"])
  }

  @Test func `a node that was removed is made again`() throws {
    let facts = try facts { $0.node = nil }
    #expect(facts.complaints == ["device.no-node"])
    #expect(
      facts.finding("device.no-node")?.commands.first
        == "sudo mknod /dev/input/event5 c $(tr : ' ' </sys/class/input/event5/dev)")
  }

  // MARK: Grabs

  @Test func `the holder of a grab is ended`() throws {
    func facts(_ name: String, seesAll: Bool = true) throws -> Facts {
      try HealthySystem.facts {
        $0.daemons[0].answer = HealthySystem.answer(
          problems: ["knob: /dev/input/event5 is grabbed"], state: .busy)
        $0.inputs[0].openers = name.isEmpty ? [] : [ProcessFacts(number: 77, name: name, user: 0)]
        $0.processes.seesAll = seesAll
      }
    }
    #expect(try facts("evtest").complaints == ["device.busy"])
    #expect(try facts("evtest").finding("device.busy")?.commands == ["sudo kill 77"])
    #expect(
      try facts("keyd").finding("device.busy")?.commands == ["sudo systemctl disable --now keyd.service"])
    #expect(try facts("", seesAll: false).finding("device.busy")?.commands == ["sudo stepperctl doctor"])
  }

  @Test func `another reader is a warning, the login manager none`() throws {
    let facts = try facts {
      $0.openers = [
        ProcessFacts(number: 1, name: "systemd-logind", user: 0),
        ProcessFacts(number: 2, name: "stepperd", user: 900),
        ProcessFacts(number: 3, name: "cat", user: 1000),
      ]
    }
    #expect(facts.complaints == ["device.shared"])
    #expect(facts.finding("device.shared")?.commands == ["kill 3"])
  }

  @Test func `what reads many devices is not ended, nor what opens them for a desktop`() throws {
    func facts(_ readers: [(name: String, inputs: Int)]) throws -> Facts {
      try self.facts { input in
        input.openers = readers.enumerated().map { number, reader in
          var process = ProcessFacts(number: Int32(number), name: reader.name, user: 1000)
          process.inputCount = reader.inputs
          return process
        }
      }
    }
    #expect(try facts([("seatd", 9), ("elogind-daemon", 2), ("acpid", 1)]).complaints == [])
    let desktops = try facts([("Hyprland", 1), ("some-compositor", 9)]).finding("device.shared")
    #expect(desktops?.commands == [] && desktops?.remedies.count == 2)
    let many = try facts((1...7).map { ("script\($0)", 1) }).finding("device.shared")
    #expect(many?.commands == (0..<5).map { "kill \($0)" })
    #expect(many?.seen.hasSuffix("script5 (process 4) and 2 more") ?? false, "\(many?.seen ?? "")")
  }

  @Test func `a user's own daemon has the group of all devices only with a warning`() throws {
    func facts(_ change: (inout Facts) -> Void) throws -> [Remedy] {
      try HealthySystem.facts { facts in
        facts.units = [:]
        facts.daemons = [
          DaemonFacts(address: "/run/user/1000/stepperd/org.stepperd", answer: HealthySystem.answer())
        ]
        facts.caller.identity = Identity(user: 1000, groups: [1000])
        facts.inputs[0].node = FileStatus(kind: .device, mode: 0o660, owner: 0, group: 104)
        facts.inputs[0].identity.properties["STEPPERD_DEVICE"] = nil
        facts.udev.entries = []
        change(&facts)
      }.findings.first { $0.name == "device.denied" }?.remedies ?? []
    }
    let group = try facts { _ in }
    #expect(group.contains(.command("sudo usermod --append --groups stepperd alice")), "\(group)")
    let all = try facts { $0.udev.rules = nil }
    #expect(all.contains(.command("sudo usermod --append --groups input alice")))
    guard case .advice(let warning)? = all.first else { return #expect(Bool(false), "\(all)") }
    #expect(warning.contains("keyboards and passwords included"))
  }

  @Test func `leftovers that read the same codes are disabled`() throws {
    let facts = try HealthySystem.facts { facts in
      var rival = RivalFacts(
        rival: Rival(title: "triggerhappy", processes: ["thd"], units: ["triggerhappy.service"]))
      rival.running = [ProcessFacts(number: 9, name: "thd", user: 0)]
      rival.codes = ["REL_DIAL": "/etc/triggerhappy/triggers.d/volume.conf"]
      facts.rivals = [rival]
    }
    #expect(facts.complaints == ["rival.same-code"])
    #expect(
      facts.finding("rival.same-code")?.commands == ["sudo systemctl disable --now triggerhappy.service"])
  }
}
