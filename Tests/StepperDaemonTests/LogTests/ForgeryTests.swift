import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// The real daemon and the real `stepperctl`, with somebody in every place who wants to write their lines.
@Suite(.enabled(if: MockBed.isAvailable, "needs the Debian package umockdev"), .timeLimit(.minutes(10)))
struct ForgeryTests {
  /// Orders for a terminal, a reversed direction, and what nobody sees; a line break where there can be one.
  private static let evil =
    "\u{1b}[2J\u{9b}31m\u{7f}\u{85}\u{2028}forged\u{202e}\u{2066}\u{200b}\u{e0041}\u{7}"
  /// umockdev's descriptions have lines too.
  private static let evilName = "\u{1b}[2J\u{9b}31m\u{7f}forged\u{202e}\u{2066}\u{200b}\u{e0041}\u{7}"
  private static let breaking = "\r\n<3>forged" + evil
  /// ``breaking`` in TOML.
  private static let breakingInTOML =
    #"\r\n<3>forged\u001b[2J\u009b31m\u007f\u0085\u2028forged\u202e\u2066\u200b\U000e0041\u0007"#

  private static let configuration = """
    [device.knob]
    match = { name = "*Dial" }
    [device.panel]
    virtual = true
    [control.volume]
    title = "Volume"
    rotate = ["knob:REL_DIAL", "panel:dial"]
    on-change = { command = ["/usr/bin/printf", '\\033[2Jevil\\r\\n<3>forged \\302\\233 \\342\\200\\256 \\377\\n'] }
    on-limit = { command = ["/nonexistent/\\u2028forged\\u202e\\u200b"] }
    """

  /// What in `text` does something else than to be shown.
  private func forbidden(in text: String) -> [String] {
    text.unicodeScalars.filter { scalar in
      scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
        || [0x200b, 0x2028, 0x202e, 0x2066, 0xe0041].contains(scalar.value)
    }.map { String($0.value, radix: 16) }
  }

  private func check(_ lines: [String]) {
    for line in lines {
      #expect(forbidden(in: line) == [], "\(line.debugDescription)")
      #expect(!line.hasPrefix("<3>") && !line.hasPrefix("forged"), "\(line.debugDescription)")
    }
  }

  private func check(_ output: String) { check(output.split(separator: "\n").map(String.init)) }

  @Test func `nobody writes a line of their own into the log, the status or a terminal`() throws {
    let (bed, folder) = (try MockBed(), try TemporaryFolder())
    let daemon = "[daemon]\nstate-directory = \"\(folder.path)\"\n"
    try folder.write(daemon + Self.configuration, to: "stepperd.toml")
    try bed(
      "add event5 'name=\(Self.evilName) Dial' 'phys=\(Self.evilName)' 'uniq=\(Self.evilName)' REL_DIAL")
    try bed("add event6 'name=\(Self.evilName)' KEY_VOLUMEUP")
    try bed.start(
      "stepperd", "--user", "--log-level", "debug", "--config", "\(folder.path)/stepperd.toml", "--socket",
      "\(folder.path)/socket")
    try bed.line("Ctrl-C ends it.")
    let client = try WireClient("\(folder.path)/socket")

    // Clients.
    let name = String(Self.breaking.prefix(60))
    #expect(
      try client.failure(ControlInterface.Get.self, .init(control: name))
        == ControlInterface.NoSuchControl.name)
    client.send(#"{"method":"org.stepperd.control.\r\n<3>forged\u001b[2J\u009b\u202e","parameters":{}}"#)
    _ = try client.reply()
    for garbage in ["{\(Self.breaking)", "{\"method\":\"\(Self.evil)\"}", "\u{1b}]0;evil\u{7}"] {
      let other = try WireClient("\(folder.path)/socket")
      other.send(garbage)
      _ = try other.message()
    }
    // Commands.
    try client.turn(3)
    try bed.line("forged")
    try client.turn(-9)
    try bed.line("does not exist")
    // A configuration.
    try folder.write(
      daemon + Self.configuration
        + "\n\"\(Self.breakingInTOML)\" = 1\n[control.\"\(Self.breakingInTOML)\"]\n",
      to: "stepperd.toml")
    #expect(
      try client.failure(ManagerInterface.Reload.self, NoParameters())
        == ManagerInterface.ConfigurationInvalid.name)

    let status = try client.call(ManagerInterface.GetStatus.self, NoParameters())
    #expect(
      status.problems.contains { $0.contains(#"/nonexistent/\u{2028}forged\u{202e}"#) }, "\(status.problems)")
    check(status.problems)
    // Names of devices are what they are for programs, and lines for people.
    let devices = try client.call(DeviceInterface.List.self, NoParameters()).devices
    #expect(devices.first { $0.device == "knob" }?.name == "\(Self.evilName) Dial")
    for arguments in [
      ["devices"], ["list"], ["status"], ["check", "\(folder.path)/stepperd.toml"], ["reload"],
      ["get", "volume"], ["get", Self.breaking], ["watch", "--once"], ["devices", "--json"],
    ] {
      let run = try run(
        builtProgram("stepperctl"), arguments + ["--address", "\(folder.path)/socket"],
        environment: ["PATH": "/usr/bin:/bin"])
      check(run.output)
      #expect(!run.output.isEmpty)
    }
    try bed("signal TERM")
    try bed.line("stopping")
    check(bed.output)
    #expect(bed.output.contains { $0.contains(#"knob is \x1b[2J\u{9b}31m"#) })
    #expect(bed.output.contains { $0.contains(#"hook: volume on-change: \x1b[2Jevil"#) })
    #expect(bed.output.contains { $0.contains(#"configuration: "#) && $0.contains("forged") })
  }

  /// As long as a name can be, with line breaks, and bytes that are no text.
  @Test func `a device whose name is no text is used, and its name is a line`() throws {
    let (bed, folder) = (try MockBed(), try TemporaryFolder())
    try folder.write(
      "[device.knob]\nmatch = { name = \"Dial*\" }\n[control.volume]\nrotate = \"knob:REL_DIAL\"\n",
      to: "stepperd.toml")
    let bytes = (Array("Dial\r\n<3>forged\u{1b}[2J".utf8) + [UInt8](repeating: 0xff, count: 255)).prefix(255)
    try bed("add event5 name=x REL_DIAL")
    try bed(
      "rename event5 \(bytes.map { String($0, radix: 16) }.map { $0.count < 2 ? "0\($0)" : $0 }.joined())")
    try bed.start(
      "stepperd", "--user", "--config", "\(folder.path)/stepperd.toml", "--socket", "\(folder.path)/socket")
    try bed.line("Ctrl-C ends it.")
    check(bed.output)
    #expect(
      bed.output.contains { $0.contains(#"knob is Dial\r\n<3>forged\x1b[2J\#u{fffd}"#) }, "\(bed.output)")
    let client = try WireClient("\(folder.path)/socket")
    let name = try client.call(DeviceInterface.List.self, NoParameters()).devices.first {
      $0.device == "knob"
    }?.name
    #expect(name?.hasPrefix("Dial\r\n<3>forged\u{1b}[2J\u{fffd}") == true)
    let run = try run(
      builtProgram("stepperctl"), ["devices", "--address", "\(folder.path)/socket"],
      environment: ["PATH": "/usr/bin:/bin"])
    check(run.output)
    #expect(run.output.contains(#"Dial\r\n<3>forged\x1b[2J\#u{fffd}"#))
  }

  @Test func `a check without a daemon writes lines too`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "[control.volume]\n\"\(Self.breakingInTOML)\" = 1\ntitle = \"\(Self.breakingInTOML)\"\n",
      to: "x\u{1b}[2J.toml")
    let run = try run(builtProgram("stepperd"), ["--check", "\(folder.path)/x\u{1b}[2J.toml"])
    #expect(run.status == 78)
    #expect(run.output.contains("forged"))
    check(run.output)
  }
}
