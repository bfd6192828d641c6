import Glibc
@testable import StepperCommands
import StepperConfiguration
import StepperInterfaces
import StepperLinux
import TestSupport
import Testing

@Suite struct `The checks of the daemon and its service` {
  @Test func `find nothing wrong where everything is in order`() throws {
    let findings = try HealthySystem.facts().findings
    #expect(findings.filter { $0.verdict != .ok } == [])
    #expect(
      findings.map(\.name) == [
        "daemon.running", "version.equal", "unit.installed", "permission.granted", "configuration.valid",
        "device.matched", "device.permitted", "udev.installed", "events.complete", "state.writable",
      ])
  }

  @Test func `a stopped service is started`() throws {
    let facts = try HealthySystem.facts {
      $0.daemons[0].answer = .stopped
      $0.service["ActiveState"] = "inactive"
    }
    #expect(facts.complaints == ["daemon.stopped"])
    #expect(
      facts.finding("daemon.stopped")?.commands == ["sudo systemctl start stepperd.socket stepperd.service"])
  }

  @Test func `without a service the daemon is started by its user`() throws {
    var facts = Facts(caller: CallerFacts(identity: HealthySystem.alice, environment: [:], version: "1.0"))
    facts.daemons = [DaemonFacts(address: "/run/user/1000/stepperd/org.stepperd", answer: .noSocket)]
    #expect(facts.complaints == ["daemon.stopped"])
    #expect(facts.finding("daemon.stopped")?.commands == ["stepperd"])
  }

  @Test(arguments: [
    ("78", "the configuration is invalid"), ("77", "permission denied"), ("217", "the user of the unit"),
    ("226", "the sandbox"), ("1", "the journal"),
  ]) func `a failed service has the meaning of its exit status`(status: String, meaning: String) throws {
    let facts = try HealthySystem.facts {
      $0.daemons[0].answer = .stopped
      $0.service["ActiveState"] = "failed"
      $0.service["ExecMainStatus"] = status
    }
    let finding = try #require(facts.finding("daemon.failed"))
    #expect(facts.complaints == ["daemon.failed"])
    #expect(finding.seen.contains("exit status \(status)") && finding.seen.contains(meaning))
    #expect(finding.commands.last == "sudo systemctl start stepperd.socket stepperd.service")
  }

  @Test func `an invalid configuration is corrected before the service is started`() throws {
    let facts = try HealthySystem.facts {
      $0.daemons[0].answer = .stopped
      $0.service["ActiveState"] = "failed"
      $0.service["ExecMainStatus"] = "78"
      $0.configure(HealthySystem.configuration + "\nmaximun = 3\n")
    }
    #expect(facts.complaints == ["daemon.failed", "configuration.error"])
    #expect(facts.findings.flatMap(\.commands).last == "sudo systemctl restart stepperd.service")
    #expect(facts.finding("daemon.failed")?.remedies == [])
  }

  @Test func `a daemon that does not answer is restarted`() throws {
    let facts = try HealthySystem.facts { $0.daemons[0].answer = .silent }
    #expect(facts.complaints == ["daemon.silent"])
    #expect(facts.finding("daemon.silent")?.commands == ["sudo systemctl restart stepperd.service"])
  }

  @Test func `a daemon that cannot be used says why, and not that its socket is missing`() throws {
    let facts = try HealthySystem.facts { $0.daemons[0].answer = .failed("too many connections") }
    #expect(facts.complaints == ["daemon.unusable"])
    #expect(
      facts.finding("daemon.unusable")?.seen
        == "the daemon at /run/stepperd/org.stepperd cannot be used: too many connections")
  }

  @Test func `a former version is restarted`() throws {
    let facts = try HealthySystem.facts { $0.daemons[0].answer = HealthySystem.answer(version: "0.9") }
    #expect(facts.complaints == ["version.different"])
    #expect(facts.finding("version.different")?.commands == ["sudo systemctl restart stepperd.service"])
  }

  @Test func `two daemons are worth a note`() throws {
    let facts = try HealthySystem.facts {
      $0.daemons.append(DaemonFacts(address: "/tmp/second", answer: HealthySystem.answer()))
    }
    #expect(facts.complaints == [])
    #expect(facts.finding("daemon.second")?.seen.contains("/tmp/second") ?? false)
  }

  @Test func `a STEPPERD_ADDRESS that leads nowhere is unset`() throws {
    let facts = try HealthySystem.facts {
      $0.caller.namedAddress = "/tmp/nothing"
      $0.caller.environment["STEPPERD_ADDRESS"] = "unix:/tmp/nothing"
      $0.daemons.insert(DaemonFacts(address: "/tmp/nothing", answer: .noSocket), at: 0)
    }
    #expect(facts.complaints == ["daemon.address"])
    #expect(facts.finding("daemon.address")?.commands == ["unset STEPPERD_ADDRESS"])
  }

  @Test func `a masked unit is unmasked and started`() throws {
    let facts = try HealthySystem.facts {
      $0.daemons[0].answer = .noSocket
      $0.socketUnit["LoadState"] = "masked"
      $0.service["ActiveState"] = "inactive"
    }
    #expect(facts.complaints == ["daemon.stopped", "unit.masked"])
    #expect(facts.finding("daemon.stopped")?.remedies == [])
    #expect(facts.finding("unit.masked")?.commands.first == "sudo systemctl unmask stepperd.socket")
  }

  @Test func `a disabled service is enabled`() throws {
    let facts = try HealthySystem.facts { $0.service["UnitFileState"] = "disabled" }
    #expect(facts.complaints == ["unit.disabled"])
    #expect(
      facts.finding("unit.disabled")?.commands == ["sudo systemctl enable stepperd.socket stepperd.service"])
  }

  @Test func `a drop-in that systemd has not read is read`() throws {
    let facts = try HealthySystem.facts { $0.service["NeedDaemonReload"] = "yes" }
    #expect(facts.complaints == ["unit.changed"])
    #expect(facts.finding("unit.changed")?.commands.first == "sudo systemctl daemon-reload")
  }

  @Test func `missing accounts are created`() throws {
    let facts = try HealthySystem.facts { facts in
      facts.accounts.users.removeAll { $0.name == "stepperd" }
      facts.accounts.groups.removeAll { $0.name == "stepperd" }
      facts.socket.status = nil
      facts.daemons[0].answer = .noSocket
      facts.socketUnit["ActiveState"] = "failed"
      facts.service["ActiveState"] = "failed"
    }
    #expect(facts.finding("account.missing")?.seen.contains("user stepperd") ?? false)
    #expect(facts.finding("account.missing")?.commands.first == "sudo systemd-sysusers")
  }

  @Test(arguments: [DaemonFacts.Contact.noSocket, .stale])
  func `a socket that was removed or left over is made again`(answer: DaemonFacts.Contact) throws {
    let facts = try HealthySystem.facts {
      $0.daemons[0].answer = answer
      $0.socket.status = nil
    }
    let name = answer == .stale ? "socket.stale" : "socket.removed"
    #expect(facts.complaints == ["daemon.unreachable", name])
    #expect(facts.finding("daemon.unreachable")?.remedies == [])
    #expect(
      facts.finding(name)?.commands == [
        "sudo systemctl stop stepperd.service stepperd.socket",
        "sudo systemctl start stepperd.socket stepperd.service",
      ])
  }

  @Test func `a socket of a user that a killed daemon left is removed`() throws {
    let facts = try HealthySystem.facts {
      $0.daemons.insert(DaemonFacts(address: "/run/user/1000/stepperd/org.stepperd", answer: .stale), at: 0)
    }
    #expect(facts.complaints == ["socket.stale"])
    #expect(facts.finding("socket.stale")?.commands == ["rm -f /run/user/1000/stepperd/org.stepperd"])
  }

  @Test func `a socket whose mode differs from its unit is made again`() throws {
    let facts = try HealthySystem.facts {
      $0.socket.status = FileStatus(kind: .socket, mode: 0o600, owner: 0, group: 900)
      $0.daemons[0].answer = .forbidden
    }
    #expect(facts.complaints == ["socket.mode", "permission.mode"])
    #expect(
      facts.finding("socket.mode")?.commands.last == "sudo systemctl start stepperd.socket stepperd.service")
  }

  @Test func `problems that no check has found are reported as the daemon reports them`() throws {
    let problem = "\u{1b}[2Jvalues cannot be saved"
    let facts = try HealthySystem.facts { $0.daemons[0].answer = HealthySystem.answer(problems: [problem]) }
    #expect(facts.complaints == ["daemon.problem"])
    #expect(facts.finding("daemon.problem")?.seen == #"it reports: \x1b[2Jvalues cannot be saved"#)
  }

  @Test func `a problem of a user's daemon, which no journal has, says itself what to do`() throws {
    let problem = "led: /sys/class/leds/x does not exist; 'ls /sys/class/leds' lists the available ones"
    let facts = try HealthySystem.facts {
      $0.daemons[0] = DaemonFacts(
        address: "/run/user/1000/stepperd/org.stepperd", answer: HealthySystem.answer(problems: [problem]))
    }
    #expect(facts.finding("daemon.problem")?.remedies == [])
  }

  @Test func `an account that does not exist is a warning`() throws {
    let problem = "daemon.providers: there is no user \"stepperd-midi\""
    let facts = try HealthySystem.facts { $0.daemons[0].answer = HealthySystem.answer(problems: [problem]) }
    #expect(facts.complaints == ["daemon.problem"])
    #expect(facts.finding("daemon.problem")?.verdict == .warning)
    #expect(facts.finding("daemon.problem")?.remedies == [])
  }

  @Test func `lost events, storms and slow replies are reported`() throws {
    let storm = ManagerInterface.Metric(
      name: "eventStorms", type: .counter, description: "", object: "knob", value: 3)
    let facts = try HealthySystem.facts {
      $0.daemons[0].answer = HealthySystem.answer(overruns: 2, metrics: [storm], latency: 30_000)
    }
    #expect(facts.complaints == ["events.lost", "events.storm", "events.slow"])
  }
}

@Suite struct `The check of permissions` {
  @Test func `a user outside the group is added to it`() throws {
    let facts = try HealthySystem.facts { facts in
      facts.daemons[0].answer = .forbidden
      facts.caller.identity = Identity(user: 1000, groups: [1000])
      facts.accounts.groups[2].members = []
    }
    #expect(facts.complaints == ["permission.denied"])
    #expect(
      facts.finding("permission.denied")?.commands == [
        "sudo usermod --append --groups stepperd alice", "newgrp stepperd",
      ])
  }

  @Test func `a session older than the membership is begun again`() throws {
    let facts = try HealthySystem.facts {
      $0.daemons[0].answer = .forbidden
      $0.caller.identity = Identity(user: 1000, groups: [1000])
    }
    #expect(facts.complaints == ["permission.session"])
    #expect(facts.finding("permission.session")?.commands == ["newgrp stepperd"])
  }

  @Test func `a closed directory is opened`() throws {
    let facts = try HealthySystem.facts {
      $0.daemons[0].answer = .forbidden
      $0.socket.directory = FileStatus(kind: .directory, mode: 0o700, owner: 900, group: 900)
    }
    #expect(facts.complaints == ["permission.directory"])
    #expect(facts.finding("permission.directory")?.commands == ["sudo chmod 0755 /run/stepperd"])
  }

  @Test func `the directory of another login is closed, whoever runs there`() throws {
    let facts = try HealthySystem.facts {
      $0.units = [:]
      $0.caller.environment["XDG_RUNTIME_DIR"] = "/nonexistent/1001"
      $0.daemons = [
        DaemonFacts(address: "/nonexistent/1001/stepperd/org.stepperd", answer: .forbidden),
        DaemonFacts(address: DaemonFacts.systemAddress, answer: .noSocket),
      ]
    }
    #expect(facts.finding("permission.directory")?.commands == ["unset XDG_RUNTIME_DIR"])
  }

  @Test(arguments: [
    (FileStatus(kind: .socket, mode: 0o600, owner: 900, group: 900), "permission.owner"),
    (nil, "permission.directory"),
  ])
  func `another user's daemon that refuses is wrong, and its values are not looked for`(
    _ status: FileStatus?, _ name: String
  ) throws {
    let facts = try HealthySystem.facts {
      $0.units = [:]
      $0.caller.identity = Identity(user: 1000, groups: [1000])
      $0.daemons = [DaemonFacts(address: "/tmp/other/org.stepperd", answer: .forbidden)]
      $0.socket = SocketFacts(path: "/tmp/other/org.stepperd", status: status)
    }
    #expect(facts.finding(name)?.verdict == .wrong)
    #expect(facts.finding(name)?.remedies.count == 1)
  }

  @Test func `the directory of values is the caller's only for the caller's own daemon`() throws {
    let folder = try TemporaryFolder()
    let socket = try PeerListener(at: "\(folder.path)/socket")
    for (user, directory) in [(geteuid(), "/nonexistent/stepperd"), (geteuid() + 1, nil)] {
      let caller = CallerFacts(
        identity: Identity(user: user, groups: []), environment: ["XDG_STATE_HOME": "/nonexistent"],
        version: "1.0")
      let daemons = [DaemonFacts(address: "\(folder.path)/socket", answer: HealthySystem.answer())]
      #expect(Facts(SystemRoot(), caller: caller, daemons: daemons).state?.directory == directory)
    }
    withExtendedLifetime(socket) {}
  }

  @Test func `what is no socket is not removed`() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "stepperd.toml")
    let file = "\(folder.path)/stepperd.toml"
    #expect(SocketProbe.answer(at: file) == .failed("it is a file, not a socket"))
    #expect(SocketProbe.answer(at: folder.path) == .failed("it is a directory, not a socket"))
  }

  @Test func `root needs no sudo`() throws {
    let facts = try HealthySystem.facts {
      $0.caller.identity = Identity(user: 0, groups: [0])
      $0.service["UnitFileState"] = "disabled"
    }
    #expect(facts.finding("unit.disabled")?.commands == ["systemctl enable stepperd.socket stepperd.service"])
  }

  @Test(
    arguments: [
      ([AccessEntry(.user(1000), .all)], 0o070, true), ([AccessEntry(.user(1000), .all)], 0o010, false),
      ([AccessEntry(.user(1001), .all)], 0o070, false),
      ([AccessEntry(.group(1000), [.read, .write])], 0o060, true),
      ([AccessEntry(.owningGroup, .all)], 0o070, false), ([], 0o006, true), ([], 0o660, false),
    ] as [([AccessEntry], UInt32, Bool)])
  func `access control lists are read as the kernel reads them`(
    entries: [AccessEntry], mode: UInt32, permits: Bool
  ) {
    var status = FileStatus(kind: .device, mode: mode, owner: 0, group: 104)
    status.entries = entries
    #expect(status.permits([.read, .write], to: HealthySystem.alice) == permits)
  }
}

@Suite struct `The check of the links` {
  @Test(arguments: [
    ("2 of 2 links connected", ["linkConnected": 1], "link.connected"),
    (
      "1 of 2 links connected; screen: the outside is disconnected: there is no /sys", ["linkConnected": 0],
      "link.trouble"
    ),
  ])
  func `says what they say`(_ line: String, _ metrics: [String: Double], _ name: String) throws {
    let facts = try HealthySystem.facts { $0.bridges = [.init(.link, line, metrics)] }
    #expect(facts.finding(name)?.seen == "stepperd-link: \(line)")
    #expect(facts.complaints == (name == "link.trouble" ? [name] : []))
  }
}

@Suite struct `The remedy for a program beside the daemon` {
  @Test(
    arguments: [
      (.link, "linkConnected", false, .command("journalctl -u stepperd-link -n 20")),
      (.link, "linkConnected", true, .command("journalctl --user-unit stepperd-link -n 20")),
      (.serial, "serialConnected", false, .command("journalctl -u stepperd-serial -n 20")),
      (.serial, "serialConnected", true, .advice("see what stepperd-serial prints where it runs")),
      (.midi, "midiConnected", true, .advice("see what stepperd-midi prints where it runs")),
    ] as [(BridgeProgram, String, Bool, Remedy)])
  func `is where it logs`(_ program: BridgeProgram, _ metric: String, isUsers: Bool, _ remedy: Remedy) throws
  {
    var bridge = BridgeReading(program, "0 of 1 there", [metric: 0])
    bridge.isUsers = isUsers
    let facts = try HealthySystem.facts { $0.bridges = [bridge] }
    #expect(facts.findings.first { $0.verdict == .warning }?.remedies.last == remedy)
  }
}

@Suite struct `The check of programs beside the daemon` {
  @Test func `names those that have ended for good`() throws {
    let facts = try HealthySystem.facts {
      for (name, state) in [("stepperd-mqtt.service", "failed"), ("stepperd-web.service", "active")] {
        $0.units[name] = UnitFacts(
          name: name, properties: ["ActiveState": [state], "ExecMainStatus": ["78"], "Result": ["exit-code"]])
      }
    }
    #expect(facts.complaints == ["unit.failed"])
    #expect(
      facts.finding("unit.failed")?.seen
        == "stepperd-mqtt.service has failed with the exit status 78 (exit-code)")
  }
}

@Suite struct `The check of MIDI` {
  @Test(arguments: [
    ("1 of 1 ports", ["midiSequencer": 1, "midiConnected": 1], "midi.connected"),
    (
      "0 of 1 ports; nano: stepperd refuses it", ["midiSequencer": 1, "midiConnected": 0],
      "midi.trouble"
    ),
    ("the kernel has no sequencer", ["midiSequencer": 0], "midi.sequencer"),
  ])
  func `says what it says`(_ line: String, _ metrics: [String: Double], _ name: String) throws {
    let facts = try HealthySystem.facts { $0.bridges = [.init(.midi, line, metrics)] }
    #expect(facts.finding(name)?.seen.contains(line) == true)
    #expect(facts.complaints == (name == "midi.connected" ? [] : [name]))
  }
}

@Suite struct `The check of the serial lines` {
  @Test(arguments: [
    ("1 of 1 boards", ["serialConnected": 1], "serial.connected"),
    ("0 of 1 boards; desk: /dev/ttyACM0 is not plugged in", ["serialConnected": 0], "serial.trouble"),
  ])
  func `says what they say`(_ line: String, _ metrics: [String: Double], _ name: String) throws {
    let facts = try HealthySystem.facts { $0.bridges = [.init(.serial, line, metrics)] }
    #expect(facts.finding(name)?.seen == "stepperd-serial: \(line)")
    #expect(facts.complaints == (name == "serial.trouble" ? [name] : []))
  }
}

@Suite struct `The check of the bridge to MQTT` {
  @Test(arguments: [
    ("connecting to mqtt://broker:1883 as kiosk", ["mqttOnline": 0, "mqttProblems": 1], nil),
    ("online at mqtt://broker:1883 as kiosk", ["mqttOnline": 1, "mqttProblems": 0], nil),
    (
      "online at mqtt://broker:1883 as kiosk: the broker does not pass on what is published on a",
      ["mqttOnline": 1, "mqttProblems": 1], "mqtt.offline"
    ),
    (
      "offline: mqtt://broker:1883 refuses the connection", ["mqttOnline": 0, "mqttProblems": 1],
      "mqtt.offline"
    ),
    (
      "offline: mqtt://broker:1883 refuses the connection",
      ["mqttOnline": 0, "mqttProblems": 1, "mqttClockProblems": 1], "mqtt.offline"
    ),
    (
      "online at mqtt://broker:1883 as kiosk: another client has the id kiosk, and each ends the connection of the other",
      ["mqttOnline": 1, "mqttProblems": 1, "mqttTakenOver": 1], "mqtt.takeover"
    ),
    (
      "online at mqtt://broker:1883 as kiosk: 3 commands in a row were refused; set the clock",
      ["mqttOnline": 1, "mqttProblems": 1, "mqttClockProblems": 1], "mqtt.clock"
    ),
    (
      "online at mqtts://broker:8883 as kiosk: the certificate in kiosk.crt ends on 2026-12-08; put a new one there",
      ["mqttOnline": 1, "mqttProblems": 1, "mqttCertificateProblems": 1], "mqtt.certificate"
    ),
  ])
  func `says what it says`(_ line: String, _ metrics: [String: Double], _ complaint: String?) throws {
    let facts = try HealthySystem.facts { $0.bridges = [.init(.mqtt, line, metrics)] }
    #expect(facts.complaints == (complaint.map { [$0] } ?? []))
    #expect(facts.findings.contains { $0.seen == "the bridge to MQTT is \(line)" })
    if complaint == "mqtt.offline" {
      #expect(
        facts.finding("mqtt.offline")?.commands == [
          "sudo CREDENTIALS_DIRECTORY=/etc/credstore stepperd-mqtt check"
        ])
    }
  }
}

extension BridgeReading {
  fileprivate init(_ program: BridgeProgram, _ status: String, _ metrics: [String: Double]) {
    self.init(
      program: program, status: status,
      metrics: metrics.map {
        .init(name: $0.key, type: .gauge, description: "", object: "kiosk", value: $0.value)
      })
  }
}
