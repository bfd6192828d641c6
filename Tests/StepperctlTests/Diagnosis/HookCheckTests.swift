@testable import StepperCommands
import StepperLinux
import Testing

@Suite struct `The checks of hooks` {
  private func facts(
    _ command: [String], program: String?, mode: UInt32 = 0o755, _ change: (inout Facts) -> Void = { _ in }
  ) throws -> Facts {
    try HealthySystem.facts { facts in
      var hook = HookFacts(control: "volume", key: "on-change", command: command)
      hook.program = program
      hook.status = program.map { _ in FileStatus(kind: .file, mode: mode, owner: 0, group: 0) }
      facts.hooks = [hook]
      change(&facts)
    }
  }

  @Test func `a program in the sandbox is in order`() throws {
    let facts = try facts(["logger", "{text}"], program: "/usr/bin/logger")
    #expect(facts.complaints == [])
    #expect(facts.finding("hook.programs")?.seen == "each program exists: /usr/bin/logger")
  }

  @Test func `a missing program is installed with its package`() throws {
    let facts = try facts(["jq", "."], program: nil) { $0.root = SystemRoot("/") }
    #expect(facts.complaints == ["hook.missing"])
    #expect(facts.finding("hook.missing")?.commands == ["sudo apt-get install --yes jq"])
    // Elsewhere the package may have another name.
    let elsewhere = try self.facts(["notify-send"], program: nil)
    #expect(
      elsewhere.finding("hook.missing")?.remedies
        == [.advice("install the package libnotify-bin (its name in Debian)")])
    let unknown = try self.facts(["/opt/panel"], program: nil)
    #expect(unknown.finding("hook.missing")?.seen == "/opt/panel does not exist")
  }

  @Test func `a program that is not executable becomes so`() throws {
    let facts = try facts(["/opt/panel"], program: "/opt/panel", mode: 0o644)
    #expect(facts.complaints == ["hook.denied"])
    #expect(facts.finding("hook.denied")?.commands == ["sudo chmod a+rx /opt/panel"])
  }

  @Test func `a program in a home directory is moved`() throws {
    let text = HealthySystem.configuration + "\non-change = [\"/home/alice/panel\"]\n"
    let facts = try facts(["/home/alice/panel"], program: "/home/alice/panel") { $0.configure(text) }
    #expect(facts.complaints == ["sandbox.home"])
    #expect(
      facts.finding("sandbox.home")?.commands == [
        "sudo install -m 755 /home/alice/panel /usr/local/bin/panel",
        #"sudo sed -i 's/"\/home\/alice\/panel"/"\/usr\/local\/bin\/panel"/' /etc/stepperd/stepperd.toml"#,
        "sudo systemctl reload stepperd.service",
      ])
  }

  @Test(arguments: [
    (
      ["amixer", "set", "Master", "{value}%"], "sandbox.sound",
      "'[Unit]' Wants=modprobe@snd.service After=modprobe@snd.service '[Service]' 'DeviceAllow=char-alsa rw'"
    ),
    (["sh", "-c", "curl http://panel/$1"], "sandbox.network", "IPAddressAllow=any"),
    (["node", "panel.js"], "sandbox.machine-code", "MemoryDenyWriteExecute=no"),
    (["cat", "/home/alice/x"], "sandbox.home", "ProtectHome=read-only"),
  ]) func `what the sandbox forbids is permitted by a drop-in`(
    command: [String], name: String, setting: String
  )
    throws
  {
    let facts = try facts(command, program: "/usr/bin/\(command[0])")
    #expect(facts.complaints == [name])
    let commands = try #require(facts.finding(name)?.commands)
    #expect(commands[1].contains(setting) && commands[1].contains("/etc/systemd/system/stepperd.service.d/"))
    #expect(
      commands.suffix(2) == ["sudo systemctl daemon-reload", "sudo systemctl restart stepperd.service"])
    // With the drop-in it is in order.
    let mended = try self.facts(command, program: "/usr/bin/\(command[0])") { facts in
      let lines = commands[1].split(separator: "'").filter { $0.contains("=") }.map(String.init)
      let words = commands[1].split(separator: " ").filter { $0.contains("=") }.map(String.init)
      facts.service.read((lines + words).joined(separator: "\n"))
    }
    #expect(mended.complaints == [])
  }

  @Test(arguments: [(["sudo", "poweroff"], "sandbox.privilege"), (["pactl", "info"], "sandbox.session")])
  func `what no drop-in permits has advice`(command: [String], name: String) throws {
    let facts = try facts(command, program: "/usr/bin/\(command[0])")
    #expect(facts.complaints == [name])
    #expect(facts.finding(name)?.remedies.isEmpty == false)
  }

  @Test func `a user's daemon has no sandbox`() throws {
    let facts = try facts(["amixer"], program: "/usr/bin/amixer") {
      $0.daemons[0].address = "/run/user/1000/stepperd/org.stepperd"
      $0.state = nil
    }
    #expect(facts.complaints.filter { $0.hasPrefix("sandbox") } == [])
  }

  @Test func `a failure that the daemon remembers is a warning`() throws {
    let facts = try facts(["logger"], program: "/usr/bin/logger") {
      $0.daemons[0].answer = HealthySystem.answer(problems: ["volume on-change: it ended with status 1"])
    }
    #expect(facts.complaints == ["daemon.problem"])
    #expect(facts.finding("daemon.problem")?.verdict == .warning)
  }
}
