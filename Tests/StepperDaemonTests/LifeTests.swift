import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// Starting, reloading, remembering, stopping.
@Suite(.timeLimit(.minutes(10)))
struct LifeTests {
  private static let panel = "[device.panel]\nvirtual = true\n"

  @Test func `values are remembered over a restart, and clamped into the range of today`() throws {
    let folder = try TemporaryFolder()
    var daemon = try RunningDaemon("\(Self.panel)[control.volume]\nrotate = \"panel:dial\"", in: folder)
    try daemon.client().turn(80)
    #expect(try daemon.stop() == 0)
    daemon = try RunningDaemon("\(Self.panel)[control.volume]\nrotate = \"panel:dial\"", in: folder)
    var state = try daemon.client().state()
    #expect(state.value == 80 && state.origin == .restored)
    try daemon.stop()
    daemon = try RunningDaemon(
      "\(Self.panel)[control.volume]\nmaximum = 50\nrotate = \"panel:dial\"", in: folder)
    state = try daemon.client().state()
    #expect(state.value == 50 && state.limit == .maximum)
  }

  @Test(arguments: [
    (#"kind = "toggle""#, "set c on"), (#"kind = "choice", choices = ["low", "high"]"#, "set c high"),
    (#"kind = "choice", choices = ["low", "mother's choice"]"#, #"set c 'mother'\''s choice'"#),
    ("maximum = 10", "set c 10"), ("minimum = 40", "set c 40"), (#"maximum = "none""#, "set c 30"),
  ])
  func `the greeting sets what the first control can be`(settings: String, command: String) throws {
    let daemon = try RunningDaemon("control.c = { \(settings) }")
    #expect(daemon.process.output.contains("stepperctl \(command)\n"))
  }

  @Test(
    arguments: [
      ("", []), ("[control.a]\nwritable-by = \"nobody\"", ["watch"]),
      ("[control.a]", ["watch", "step a +1", "set a 30"]),
      ("\(panel)[control.a]", ["watch", "step a +1", "set a 30"]),
      ("\(panel)[control.a]\nrotate = \"panel:dial\"", ["watch", "turn panel:dial 3", "set a 30"]),
      (
        "\(panel)[control.a]\nincrement = \"panel:minus\"",
        ["watch", "press panel:minus --hold 3s", "set a 30"]
      ),
      (
        "\(panel)[control.a]\nkind = \"toggle\"\npush = \"panel:push\"",
        ["watch", "click panel:push", "set a on"]
      ),
      ("\(panel)[control.a]\nabsolute = \"panel:fader\"", ["watch", "move panel:fader 50%", "set a 30"]),
      (
        "\(panel)[control.a]\nkind = \"button\"\npush = \"panel:push\"\n[control.b]",
        ["watch", "click panel:push", "set b 30"]
      ),
    ] as [(String, [String])]) func `the greeting suggests what works`(
      configuration: String, commands: [String]
    ) throws
  {
    let daemon = try RunningDaemon(configuration)
    let found = daemon.process.output.split(separator: "\n").filter {
      $0.hasPrefix("  ") && $0.contains("stepperctl ")
    }
    #expect(found.map { String($0.split(separator: "stepperctl ")[1]) } == commands)
  }

  @Test func `the greeting leads to a socket that is not the usual one`() throws {
    let folder = try TemporaryFolder()
    let daemon = try RunningDaemon(in: folder, arguments: ["--socket", "\(folder.path)/own"])
    #expect(daemon.process.output.contains("stepperctl watch --address \(folder.path)/own\n"))
    #expect(daemon.process.output.contains("stepperctl set volume 30 --address \(folder.path)/own\n"))
  }

  @Test func `a control may forget`() throws {
    let folder = try TemporaryFolder()
    let text = "\(Self.panel)[control.volume]\nrestore = false\nrotate = \"panel:dial\""
    var daemon = try RunningDaemon(text, in: folder)
    try daemon.client().turn(80)
    try daemon.stop()
    daemon = try RunningDaemon(text, in: folder)
    #expect(try daemon.client().state().value == 0)
  }

  @Test func `a damaged file of values is said and survived`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/state/stepperd", withIntermediateDirectories: true)
    try folder.write("{ not json", to: "state/stepperd/values.json")
    let daemon = try RunningDaemon(in: folder)
    #expect(daemon.process.output.contains("values.json is damaged"))
    #expect(try daemon.client().state().value == 0)
  }

  @Test func `values that cannot be written are said, and nothing else suffers`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a file where the directory should be", to: "state")
    let daemon = try RunningDaemon(in: folder)
    let client = try daemon.client()
    try client.turn(3)
    #expect(
      try client.failure(ManagerInterface.Save.self, NoParameters()) == "org.stepperd.manager.SaveFailed")
    #expect(try client.state().value == 3)
    #expect(try daemon.stop() == 0)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `both signals end it cleanly`(_ signal: CInt) throws {
    let daemon = try RunningDaemon()
    daemon.process.signal(signal)
    #expect(try daemon.process.waitForExit() == 0)
    #expect(!daemon.folder.contains("stepperd/org.stepperd"))
  }

  @Test func `a reload keeps values and tells followers anew`() throws {
    let daemon = try RunningDaemon("\(Self.panel)[control.volume]\nrotate = \"panel:dial\"")
    let (follower, client) = (try daemon.client(), try daemon.client())
    try client.turn(30)
    try follower.subscribe()
    let before = try follower.next()
    try daemon.folder.write(
      "\(Self.panel)[control.volume]\nmaximum = 20\nrotate = \"panel:dial\"\n[control.bass]\n",
      to: "stepperd.toml")
    #expect(try client.call(ManagerInterface.Reload.self, NoParameters()).problems.isEmpty)
    var after = try follower.next()
    // The turn may have ended meanwhile.
    while !after.snapshot { after = try follower.next() }
    #expect(after.instance != before.instance)
    #expect(after.states.map(\.control) == ["volume", "bass"] && after.states.map(\.value) == [20, 0])
    try client.turn(-1)
    try follower.values { $0.value == 19 }
  }

  @Test func `a bad file changes nothing, and every problem is told`() throws {
    let daemon = try RunningDaemon("\(Self.panel)[control.volume]\nrotate = \"panel:dial\"")
    let client = try daemon.client()
    try client.turn(30)
    try daemon.folder.write("[control.volume]\nmaximun = 20\nstep = -1\n", to: "stepperd.toml")
    try client.send(ManagerInterface.Reload.self, NoParameters())
    let failure = try #require(try client.reply().failure)
    let problems = try #require(failure.decode(ManagerInterface.ConfigurationInvalid.self)).problems
    #expect(problems.map(\.keyPath) == ["control.volume.maximun", "control.volume.step"])
    #expect(problems.map(\.line) == [2, 3])
    #expect(problems.first?.suggestion == "maximum")
    daemon.process.signal(SIGHUP)
    try daemon.process.expectOutput("nothing was changed")
    #expect(try client.state().value == 30)
  }

  @Test func `a hangup signal reloads`() throws {
    let daemon = try RunningDaemon("\(Self.panel)[control.volume]\nrotate = \"panel:dial\"")
    let follower = try daemon.client()
    try follower.subscribe()
    _ = try follower.next()
    try daemon.folder.write("\(Self.panel)[control.other]\nrotate = \"panel:dial\"", to: "stepperd.toml")
    daemon.process.signal(SIGHUP)
    #expect(try follower.next().states.map(\.control) == ["other"])
  }

  @Test func `a configuration can be checked without using it`() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    let check = ManagerInterface.Check.Parameters(
      text: "[control.volume]\nmaximum = \"loud\"", file: "mine.toml")
    let problems = try client.call(ManagerInterface.Check.self, check).problems
    #expect(problems.count == 1 && problems[0].file == "mine.toml" && problems[0].line == 2)
  }

  @Test func `a second daemon does not take the first one's socket`() throws {
    let daemon = try RunningDaemon()
    let second = try run(
      builtProgram("stepperd"), ["--user"], environment: RunningDaemon.environment(in: daemon.folder))
    #expect(second.status == 69)
    #expect(second.output.contains("another stepperd is running"))
    #expect(try daemon.client().state().control == "volume")
  }

  @Test func `a socket that a killed daemon left behind is replaced`() throws {
    let folder = try TemporaryFolder()
    let killed = try RunningDaemon(in: folder)
    killed.process.signal(SIGKILL)
    #expect(try killed.process.waitForExit() == -SIGKILL)
    #expect(folder.contains("stepperd/org.stepperd"))
    let daemon = try RunningDaemon(in: folder)
    #expect(try daemon.client().state().control == "volume")
  }

  @Test(
    arguments: [
      (["--config", "/nonexistent.toml"], 78, "there is no such file"),
      (["--config", "/"], 78, "/"),
      (["--socket", "/proc/nothing/socket"], 71, "cannot listen at /proc/nothing/socket"),
      (["--nonsense"], 64, "unrecognized option"),
      (["file.toml"], 64, "a file can be given only with --check; did you mean --config file.toml"),
      (["--log-level", "loud"], 64, "use debug, info, notice"),
      (["--check", "/nonexistent.toml"], 78, "no such file"),
      (["--record="], 64, "the path of a file is empty"),
      (["--config", ""], 64, "the path of a file is empty"),
      (["--check", ""], 64, "the path of a file is empty"),
      (["--record-limit=1G"], 64, "--record-limit needs --record"),
      (["--version"], 0, productVersion), (["--check"], 0, "no errors"),
    ] as [([String], CInt, String)])
  func `what cannot be done is said, with the exit code that fits`(
    _ arguments: [String], _ status: CInt, _ message: String
  ) throws {
    let folder = try TemporaryFolder()
    let result = try run(
      builtProgram("stepperd"), arguments, environment: RunningDaemon.environment(in: folder))
    #expect(result.status == status)
    #expect(result.output.contains(message), "\(result.output)")
  }

  @Test(arguments: ["--socket=", "--config=", "--check "])
  func `an argument that is no text is refused as it is`(_ option: String) throws {
    let script = "exec \"$0\" \(option)\"$(printf '/tmp/\\377')\""
    let result = try run("/bin/sh", ["-c", script, builtProgram("stepperd")])
    #expect(result.status == 64 && result.output.contains("an argument is not"), "\(result.output)")
  }

  @Test func `it ends with its terminal, and a signal that is sent reloads`() throws {
    let script = """
      import os, pty, signal, sys
      child, terminal = pty.fork()
      if child == 0:
          os.execv(sys.argv[1], sys.argv[1:])
      said = b""
      def hear(words):
          global said
          while words not in said:
              said += os.read(terminal, 1000)
      hear(b"Ctrl-C")
      os.kill(child, signal.SIGHUP)
      hear(b"the built-in configuration")
      hear(b"read ")
      os.close(terminal)
      print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
      """
    let folder = try TemporaryFolder()
    let result = try run(
      "/usr/bin/python3", ["-c", script, builtProgram("stepperd"), "--user"],
      environment: RunningDaemon.environment(in: folder))
    #expect(result.output.hasSuffix("0\n"), "\(result.output)")
  }

  @Test func `it outlives its terminal where nohup has started it`() throws {
    let script = """
      import os, pty, signal, socket, sys
      child, terminal = pty.fork()
      if child == 0:
          signal.signal(signal.SIGHUP, signal.SIG_IGN)
          os.execv(sys.argv[1], sys.argv[1:])
      said = b""
      while b"Ctrl-C" not in said:
          said += os.read(terminal, 1000)
      client = socket.socket(socket.AF_UNIX)
      client.connect(f"{os.environ['XDG_RUNTIME_DIR']}/stepperd/org.stepperd")
      os.close(terminal)
      # The signal is there before the first call, and would end the daemon before the second.
      for _ in range(2):
          client.sendall(b'{"method":"org.stepperd.manager.GetStatus"}\\0')
          answer = b""
          while not answer.endswith(b"\\0"):
              answer += client.recv(100000) or sys.exit("it has ended")
      os.kill(child, signal.SIGTERM)
      print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
      """
    let folder = try TemporaryFolder()
    let result = try run(
      "/usr/bin/python3", ["-c", script, builtProgram("stepperd"), "--user"],
      environment: RunningDaemon.environment(in: folder))
    #expect(result.output.hasSuffix("0\n"), "\(result.output)")
  }

  @Test func `a stopped process does not make up for the time`() throws {
    let daemon = try RunningDaemon(
      "\(Self.panel)[control.volume]\nmaximum = 1000\nincrement = \"panel:plus\"\nrepeat = { delay = \"2s\", interval = \"2s\" }"
    )
    let (follower, panel) = (try daemon.client(), try daemon.client())
    try follower.subscribe()
    _ = try follower.next()
    try panel.press()
    try follower.values { $0.value == 1 }
    daemon.process.signal(SIGSTOP)
    // Past the first repeat by more than the tolerance: how long does not matter, only that it was.
    #expect(!follower.hasMessage(within: 2.5))
    daemon.process.signal(SIGCONT)
    let values = try follower.values { ($0.value ?? 0) >= 3 }
    #expect(values == [2, 3], "one repeat after the other, none at once")
    let status = try panel.call(ManagerInterface.GetStatus.self, NoParameters())
    #expect(status.stalls >= 1)
  }
}
