@testable import StepperCommands
import StepperLinux
import Testing

@Suite struct `The checks of the configuration` {
  @Test func `a misspelt key is corrected where it is`() throws {
    let facts = try HealthySystem.facts { $0.configure(HealthySystem.configuration + "\nmaximun = 3\n") }
    #expect(facts.complaints == ["configuration.error"])
    let finding = try #require(facts.finding("configuration.error"))
    #expect(
      finding.seen.hasPrefix("/etc/stepperd/stepperd.toml:5:1: error: control.volume.maximun: unknown key"))
    #expect(
      finding.commands == [
        "sudo sed -i 5s/maximun/maximum/ /etc/stepperd/stepperd.toml",
        "sudo systemctl reload stepperd.service",
      ])
  }

  @Test func `another error is edited at its line`() throws {
    let facts = try HealthySystem.facts { $0.configure("[control.volume]\nstep = 1 2\n") }
    let finding = try #require(facts.finding("configuration.error"))
    #expect(finding.commands.first == "sudoedit +2 /etc/stepperd/stepperd.toml")
  }

  @Test func `a file that cannot be read is no fault for a user who does not own it`() throws {
    func facts(_ user: UInt32) throws -> Facts {
      try HealthySystem.facts {
        $0.configuration = ConfigurationFacts(path: HealthySystem.configurationPath)
        $0.configuration.failure = "cannot be read: Permission denied"
        $0.caller.identity = Identity(user: user, groups: [user, 900])
      }
    }
    #expect(try facts(1000).finding("configuration.unreadable")?.verdict == .note)
    #expect(try facts(0).complaints == ["configuration.unreadable"])
  }

  @Test func `a change that is not in use is reloaded`() throws {
    let problem =
      "/etc/stepperd/stepperd.toml has changed since it was read; 'stepperctl reload' puts it in use"
    let byDaemon = try HealthySystem.facts {
      $0.daemons[0].answer = HealthySystem.answer(problems: [problem])
    }
    #expect(byDaemon.complaints == ["configuration.outdated"])
    let byControls = try HealthySystem.facts {
      $0.daemons[0].answer = HealthySystem.answer(controls: ["bass"])
    }
    #expect(byControls.complaints == ["configuration.outdated"])
    #expect(
      byControls.finding("configuration.outdated")?.commands == ["sudo systemctl reload stepperd.service"])
  }
}

@Suite struct `The check of an included file` {
  private static let path = "/var/lib/sent.toml"
  private static let configuration = """
    [daemon]
    include = "\(path)"
    [device.knob]
    match = { name = "Griffin PowerMate" }
    [control.volume]
    """
  private static let bass = "[control.bass]\nrotate = \"knob:REL_DIAL\"\n"

  /// Of a daemon that has `controls`.
  private func facts(_ included: String?, controls: [String]) throws -> Facts {
    let system = try FixtureSystem()
    try system.write(Self.configuration, to: HealthySystem.configurationPath)
    if let included {
      try system.write(included, to: Self.path)
    } else {
      system.makeDirectory(["var", "lib", "sent.toml"])
    }
    return try HealthySystem.facts {
      $0.configuration = ConfigurationFacts(system.root, path: HealthySystem.configurationPath)
      $0.daemons[0].answer = HealthySystem.answer(controls: controls)
    }
  }

  @Test func `its controls are those of the daemon, and use devices`() throws {
    let facts = try facts(Self.bass, controls: ["volume", "bass"])
    #expect(facts.complaints == [])
    #expect(
      facts.finding("configuration.valid")?.seen
        == "/etc/stepperd/stepperd.toml with /var/lib/sent.toml has no errors and 2 controls")
    #expect(try self.facts(Self.bass, controls: ["volume"]).complaints == ["configuration.outdated"])
  }

  @Test func `its errors are its own, and the daemon may have its former controls`() throws {
    let facts = try facts(Self.bass + "maximun = 3\n", controls: ["volume", "bass"])
    #expect(facts.complaints == ["configuration.error"])
    let finding = try #require(facts.finding("configuration.error"))
    #expect(finding.seen.hasPrefix("/var/lib/sent.toml:3:1: error: control.bass.maximun: unknown key"))
    #expect(finding.commands == ["stepperctl check /etc/stepperd/stepperd.toml"])
    let outdated = try self.facts("[mqtt]\n", controls: ["bass"]).complaints
    #expect(outdated.contains("configuration.outdated"))
  }

  @Test func `that cannot be read is no fault for a user who does not own it`() throws {
    var facts = try facts(nil, controls: ["volume", "bass"])
    #expect(facts.complaints == [])
    #expect(
      facts.finding("configuration.unreadable")?.seen == "/var/lib/sent.toml is a directory, not a file")
    facts.caller.identity = Identity(user: 0, groups: [0])
    #expect(facts.finding("configuration.unreadable")?.verdict == .wrong)
  }
}

@Suite struct `The check of saved values` {
  private func facts(_ change: (inout StateFacts) -> Void) throws -> Facts {
    try HealthySystem.facts { facts in
      guard var state = facts.state else { return }
      change(&state)
      facts.state = state
    }
  }

  @Test func `a directory of another user is given to the daemon's`() throws {
    let facts = try facts { $0.status = FileStatus(kind: .directory, mode: 0o755, owner: 0, group: 0) }
    #expect(facts.complaints == ["state.denied"])
    #expect(
      facts.finding("state.denied")?.commands == [
        "sudo chown -R stepperd:stepperd /var/lib/stepperd", "sudo chmod 0750 /var/lib/stepperd",
        "sudo systemctl restart stepperd.service",
      ])
  }

  @Test func `a directory that has other files is given to nobody`() throws {
    func commands(_ files: [String]?, owner: UInt32 = 0) throws -> [String]? {
      try HealthySystem.facts { facts in
        facts.configure("[daemon]\nstate-directory = \"/data\"\n\(HealthySystem.configuration)")
        facts.state = StateFacts(directory: "/data")
        facts.state?.status = FileStatus(kind: .directory, mode: 0o755, owner: owner, group: 0)
        facts.state?.files = files
      }.finding("state.denied")?.commands
    }
    #expect(try commands(["values.json", "passwd"]) == [])
    #expect(try commands(nil) == [])
    #expect(try commands(["lock", "values.json"])?.first == "sudo chown -R stepperd:stepperd /data")
    #expect(try commands([])?.first == "sudo chown -R stepperd:stepperd /data")
  }

  @Test func `what the configuration names by mistake is not moved`() throws {
    let facts = try HealthySystem.facts { facts in
      facts.configure("[daemon]\nstate-directory = \"/etc/passwd\"\n\(HealthySystem.configuration)")
      facts.state = StateFacts(directory: "/etc/passwd")
      facts.state?.status = FileStatus(kind: .file, mode: 0o644, owner: 0, group: 0)
    }
    #expect(facts.finding("state.kind")?.commands == [])
  }

  @Test func `the directory that another user's environment names stays that user's`() throws {
    let facts = try HealthySystem.facts { facts in
      facts.units = [:]
      facts.daemons = [DaemonFacts(address: "/run/user/900/stepperd/org.stepperd", answer: .forbidden)]
      facts.state = StateFacts(directory: "/home/other/.local/state/stepperd")
      facts.state?.status = FileStatus(kind: .directory, mode: 0o700, owner: 900, group: 900)
    }
    #expect(facts.finding("state.denied")?.commands == [])
  }

  @Test func `a file in its place is moved aside`() throws {
    let facts = try facts { $0.status = FileStatus(kind: .file, mode: 0o644, owner: 0, group: 0) }
    #expect(facts.complaints == ["state.kind"])
    #expect(
      facts.finding("state.kind")?.commands.first == "sudo mv /var/lib/stepperd /var/lib/stepperd.aside")
  }

  @Test func `a read-only, full or crowded file system is named`() throws {
    #expect(try facts { $0.isReadOnly = true }.complaints == ["state.read-only"])
    #expect(try facts { $0.freeBytes = 4096 }.complaints == ["state.full"])
    #expect(try facts { $0.freeFiles = 0 }.complaints == ["state.inodes"])
    #expect(try facts { $0.isInMemory = true }.complaints == ["state.volatile"])
  }

  @Test(
    arguments: [
      ("/dev/sda1 / ext4 rw 0 0\ntmpfs /run tmpfs rw 0 0", false),
      ("/dev/sda1 / ext4 ro 0 0\ntmpfs /var/lib/stepperd tmpfs rw 0 0", true),
      ("tmpfs /var/lib tmpfs rw 0 0\n/dev/sda3 /var/lib/stepperd ext4 rw 0 0", false),
      ("tmpfs /var/lib/step tmpfs rw 0 0\n/dev/sda1 / ext4 rw 0 0", false),
      ("rootfs / rootfs rw 0 0", true),
      ("rootfs / rootfs rw 0 0\n/dev/sda1 / ext4 rw 0 0", false),
      // overlayroot, as raspi-config sets it up.
      (
        "tmpfs-root /media/root-rw tmpfs rw 0 0\n/dev/sda1 /media/root-ro ext4 ro 0 0\n"
          + "overlayroot / overlay rw,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay,workdir=/w 0 0",
        true
      ),
      ("overlay / overlay rw,lowerdir=/l,upperdir=/var/lib/containers/1/diff,workdir=/w 0 0", false),
      ("overlay / overlay rw,upperdir=/ 0 0\n\n   \ntmpfs", false),
    ])
  func `a file system in memory is known`(mounts: String, isInMemory: Bool) throws {
    let system = try FixtureSystem()
    try system.write("\(mounts)\n", to: "/proc/self/mounts")
    #expect(StateFacts(system.root, "/var/lib/stepperd").isInMemory == isInMemory)
  }

  @Test func `files that were set aside are named`() throws {
    let facts = try facts { $0.files = ["values.json", "values.json.2026-01-02"] }
    #expect(facts.complaints == [])
    #expect(facts.finding("state.aside")?.seen.contains("values.json.2026-01-02") ?? false)
  }

  @Test func `a directory that does not exist is made by the next start`() throws {
    let facts = try HealthySystem.facts {
      $0.caller.identity = Identity(user: 0, groups: [0])
      $0.state?.status = nil
    }
    #expect(facts.complaints == ["state.missing"])
    #expect(facts.finding("state.missing")?.commands == ["systemctl restart stepperd.service"])
  }

  @Test func `a directory that the sandbox makes read-only is permitted`() throws {
    let facts = try HealthySystem.facts {
      $0.configure("[daemon]\nstate-directory = \"/srv/panel\"\n" + HealthySystem.configuration)
    }
    #expect(facts.complaints == ["sandbox.state"])
    #expect(
      facts.finding("sandbox.state")?.commands[1]
        == "printf '%s\\n' '[Service]' ReadWritePaths=/srv/panel | sudo tee /etc/systemd/system/stepperd.service.d/state-directory.conf >/dev/null"
    )
  }
}
