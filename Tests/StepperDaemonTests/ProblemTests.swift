import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// What `GetStatus`, `List` of devices and the log say of a configuration that does not fit the devices.
@Suite(.enabled(if: MockBed.isAvailable, "needs the Debian package umockdev"), .timeLimit(.minutes(10)))
struct MisfitTests {
  private static func knob(_ binding: String, more: String = "") -> String {
    """
    [device.knob]
    match = { name = "Test Dial" }
    \(more)
    [control.volume]
    \(binding)
    """
  }

  @Test(arguments: [
    (#"rotate = "knob:REL_X""#, "knob: it has no REL_X; it has REL_DIAL and BTN_0"),
    (
      #"increment = ["knob:KEY_UP", "knob:KEY_DOWN"]"#,
      "knob: it has no KEY_UP and no KEY_DOWN; it has BTN_0 and REL_DIAL"
    ),
    (#"absolute = "knob:ABS_X""#, "knob: it has no ABS_X; it has BTN_0 and REL_DIAL"),
    (
      #"push = { input = "knob:BTN_1", short = "reset" }"#, "knob: it has no BTN_1; it has BTN_0 and REL_DIAL"
    ),
    (
      #"rotate = { input = "knob:REL_DIAL", while = "knob:KEY_A" }"#,
      "knob: it has no KEY_A; it has BTN_0 and REL_DIAL"
    ),
    // One of several that do the same is enough.
    (#"rotate = ["knob:REL_X", "knob:REL_DIAL"]"#, nil),
  ])
  func `a binding to a code that the device does not have is a problem until it is mended`(
    _ binding: String, _ problem: String?
  ) throws {
    let setting = try DeviceSetting(Self.knob(binding), ["add event5 'name=Test Dial' REL_DIAL BTN_0"])
    #expect(try setting.problems() == [problem].compactMap(\.self))
    let device = try #require(try setting.device("knob"))
    #expect(device.state == .open && device.problem.map { "knob: \($0)" } == problem)
    guard let problem else { return }
    try setting.bed.line(problem)
    try setting.configure(Self.knob(#"rotate = "knob:REL_DIAL""#))
    try setting.reload()
    #expect(try setting.problems() == [])
    #expect(try setting.device("knob")?.problem == nil)
  }

  @Test func `a fader without travel is a problem until it is given one`() throws {
    let binding = #"absolute = "knob:ABS_X""#
    let setting = try DeviceSetting(Self.knob(binding), ["add event5 'name=Test Dial' ABS_X=7:7"])
    #expect(
      try setting.problems() == [
        "knob: its ABS_X has only the position 7; set its minimum and maximum under axis"
      ])
    try setting.configure(Self.knob(binding, more: "axis = { ABS_X = { minimum = 0, maximum = 9 } }"))
    try setting.reload()
    #expect(try setting.problems() == [])
  }

  @Test func `a device without a code that another one of its table has is no problem`() throws {
    let setting = try DeviceSetting(
      Self.knob(#"rotate = "knob:REL_DIAL""#),
      ["add event5 'name=Test Dial' phys=usb-1 KEY_SLEEP", "add event6 'name=Test Dial' phys=usb-2 REL_DIAL"])
    #expect(try setting.problems() == [])
    try setting.bed("remove event6")
    #expect(
      Deadline().wait { (try? setting.problems()) == ["knob: it has no REL_DIAL; it has KEY_SLEEP"] })
  }

  @Test func `a table whose device another one has taken is a problem as long as that has it`() throws {
    let more = """
      [device.second]
      match = { has = ["REL_DIAL"] }
      """
    let setting = try DeviceSetting(
      Self.knob(#"rotate = ["knob:REL_DIAL", "second:REL_DIAL"]"#, more: more),
      ["add event5 'name=Test Dial' REL_DIAL"])
    let problem =
      "second: Test Dial (/dev/input/event5) matches, but [device.knob] is before this table and uses it"
    #expect(try setting.problems() == [problem])
    #expect(try setting.device("second")?.state == .absent)
    try setting.bed("add event6 'name=Other Dial' REL_DIAL")
    #expect(Deadline().wait { (try? setting.problems()) == [] })
    try setting.bed("remove event6")
    try setting.bed("remove event5")
    #expect(Deadline().wait { (try? setting.problems()) == [] })
  }
}

/// Problems that need no device.
@Suite(.timeLimit(.minutes(10))) struct ProblemTests {
  private static func problems(_ daemon: RunningDaemon) throws -> [String] {
    try daemon.client().call(ManagerInterface.GetStatus.self, NoParameters()).problems
  }

  private static func expect(
    _ daemon: RunningDaemon, _ fits: ([String]) -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let deadline = Deadline()
    let isSo = deadline.wait { (try? problems(daemon)).map(fits) ?? false }
    #expect(isSo, "\((try? problems(daemon)) ?? [])", sourceLocation: sourceLocation)
  }

  @Test
  func `a configuration on the disk that is newer or broken is a problem until it is in use or as before`()
    throws
  {
    let first = "[control.volume]\nmaximum = 10\n"
    let daemon = try RunningDaemon(first)
    let path = "\(daemon.folder.path)/stepperd.toml"
    try daemon.folder.write("[control.volume]\nmaximum = 20\n", to: "stepperd.toml")
    Self.expect(daemon) {
      $0 == ["\(path) has changed since it was read; 'stepperctl reload' puts it in use"]
    }
    try daemon.folder.write("[control.volume]\nmaximun = 20\nstep = 0\n", to: "stepperd.toml")
    Self.expect(daemon) { problems in
      problems.count == 1
        && problems[0].hasPrefix(
          "the configuration on the disk cannot be used, and the former one remains in use: \(path):2:1:")
        && problems[0].hasSuffix("(and 1 more)")
    }
    #expect(throws: VarlinkReplyError.self) {
      try daemon.client().call(ManagerInterface.Reload.self, NoParameters())
    }
    try daemon.folder.write(first, to: "stepperd.toml")
    Self.expect(daemon) { $0 == [] }
    try daemon.folder.write("[control.volume]\nmaximum = 30\n", to: "new.toml")
    try daemon.folder.rename("new.toml", to: "stepperd.toml")
    Self.expect(daemon) { $0.count == 1 && $0[0].contains("has changed") }
    _ = try daemon.client().call(ManagerInterface.Reload.self, NoParameters())
    #expect(try Self.problems(daemon) == [])
    daemon.folder.remove("stepperd.toml")
    Self.expect(daemon) { $0.count == 1 && $0[0].contains("there is no such file") }
  }

  @Test func `a file that appears where there was none is a problem until it is in use`() throws {
    let daemon = try RunningDaemon()
    #expect(try Self.problems(daemon) == [])
    try daemon.folder.writeBelow("[control.volume]\n", to: "config/stepperd/stepperd.toml")
    Self.expect(daemon) { $0.count == 1 && $0[0].contains("exists now") }
    _ = try daemon.client().call(ManagerInterface.Reload.self, NoParameters())
    #expect(try Self.problems(daemon) == [])
  }

  @Test func `every hook that fails is a problem until it succeeds or is gone`() throws {
    let daemon = try RunningDaemon(
      """
      [device.panel]
      virtual = true
      [control.a]
      rotate = "panel:dial"
      on-change = ["/nonexistent/a"]
      [control.b]
      rotate = "panel:dial"
      on-change = ["false"]
      """)
    let client = try daemon.client()
    try client.turn(1)
    Self.expect(daemon) { problems in
      problems.count == 2 && problems.contains { $0.hasPrefix("a on-change: /nonexistent/a") }
        && problems.contains("b on-change: exited with status 1")
    }
    try daemon.folder.write(
      "[device.panel]\nvirtual = true\n[control.a]\nrotate = \"panel:dial\"\non-change = [\"true\"]",
      to: "stepperd.toml")
    _ = try client.call(ManagerInterface.Reload.self, NoParameters())
    try client.turn(1)
    Self.expect(daemon) { $0 == [] }
  }

  @Test func `a refused connection gets the reason, and its user is a problem while it has as many`() throws {
    let daemon = try RunningDaemon()
    var clients = try (0..<32).map { _ in try daemon.client() }
    let refused = try daemon.client()
    let message = try #require(try refused.message())
    let failure = try #require(VarlinkReply(decoding: message.utf8).failure)
    #expect(failure.decode(ManagerInterface.TooManyConnections.self)?.open == 32)
    #expect(try refused.message() == nil)
    let problems = try clients[0].call(ManagerInterface.GetStatus.self, NoParameters()).problems
    #expect(
      problems.count == 1 && problems[0].hasSuffix("are refused: 32 of this user are open"), "\(problems)")
    // Whether the answer comes before, while or after it calls.
    for _ in 0..<20 {
      let program = try ChildProcess(
        builtProgram("stepperctl"), ["get", "volume"], environment: ["STEPPERD_ADDRESS": daemon.socket])
      try program.expectOutput(
        "stepperctl: the daemon has no room for another connection of this user, who has 32 open")
      #expect(try program.waitForExit() == 3)
    }
    clients.removeLast()
    Self.expect(daemon) { $0 == [] }
  }
}
