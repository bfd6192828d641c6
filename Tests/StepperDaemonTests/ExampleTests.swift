import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing

/// The examples of the documents, run as they stand there.
@Suite(.timeLimit(.minutes(10)))
struct ExampleTests {
  private static func environment(of daemon: RunningDaemon) -> [String: String] {
    let programs = builtProgram("stepperctl").split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    var environment = RunningDaemon.environment(in: daemon.folder)
    environment["PATH"] = "\(programs):\(environment["PATH"] ?? "/usr/bin:/bin")"
    environment["STEPPERD_ADDRESS"] = daemon.socket
    environment["PYTHONUNBUFFERED"] = "1"
    return environment
  }

  private static func example(_ name: String) -> String {
    TemporaryFolder.path(ofSource: "Documentation/examples/\(name)")
  }

  /// Also with an address as other programs of Varlink write it.
  @Test(arguments: [("", ""), ("unix:", ";mode=0666")])
  func `the shell gets a value over the bare socket`(before: String, after: String) throws {
    let daemon = try RunningDaemon()
    var environment = Self.environment(of: daemon)
    environment["STEPPERD_ADDRESS"] = before + daemon.socket + after
    let result = try run("/bin/sh", [Self.example("shell/get.sh")], environment: environment)
    #expect(result.output.contains(#""text":"0""#), "\(result.output)")
  }

  @Test func `the shell runs a command at every change`() throws {
    let daemon = try RunningDaemon()
    let shell = try ChildProcess(
      "/bin/sh", [Self.example("shell/watch-read.sh")], environment: Self.environment(of: daemon))
    try shell.expectOutput("volume is now 0")
    try daemon.client().turn(7)
    try shell.expectOutput("volume is now 7")
  }

  @Test func `Python follows with its standard library`() throws {
    let daemon = try RunningDaemon()
    let python = try ChildProcess(
      "/usr/bin/python3", [Self.example("python/watch.py")], environment: Self.environment(of: daemon))
    try python.expectOutput("0")
    try daemon.client().turn(7)
    try python.expectOutput("7")
  }

  @Test(.enabled(if: OutsidePeerTests.hasPython, "needs Scripts/setup --test"))
  func `Python steps with the varlink package`() throws {
    let daemon = try RunningDaemon()
    let result = try run(
      OutsidePeerTests.python, [Self.example("python/step.py")], environment: Self.environment(of: daemon))
    #expect(result == (0, "0\n3\n"))
  }

  /// A control without a value, and one that a restarted daemon has again.
  @Test func `Python follows over a restart`() throws {
    let configuration = """
      [device.panel]
      virtual = true
      [control.volume]
      rotate = "panel:dial"
      restore = false
      [control.none]
      unset = true
      """
    let daemon = try RunningDaemon(configuration)
    let python = try ChildProcess(
      "/usr/bin/python3", [Self.example("python/resume.py"), "*"], environment: Self.environment(of: daemon))
    try python.expectOutput("volume 0\n")
    let unsetting = try run(
      builtProgram("stepperctl"), ["set", "none", ""], environment: Self.environment(of: daemon))
    #expect(unsetting.status == 0, "\(unsetting.output)")
    try python.expectOutput("none unset\n")
    try daemon.stop()
    let again = try RunningDaemon(configuration, in: daemon.folder)
    try again.client().turn(33)
    try python.expectOutput("volume 33\n")
  }

  private static let knob = """
    [device.knob]
    match = { provider = "example" }
    [control.volume]
    rotate = "knob:REL_DIAL"
    push = "knob:BTN_0"
    light = "knob:ring"
    """

  @Test func `Python attaches a knob, and again after a restart`() throws {
    let daemon = try RunningDaemon(Self.knob)
    let python = try ChildProcess(
      "/usr/bin/python3", [Self.example("python/knob.py")], environment: Self.environment(of: daemon))
    try python.expectOutput(#""table": "knob""#)
    try python.write("+30\n")
    try python.expectOutput(#""brightness": 0.3}"#)
    try python.expectOutput(#""effect": "light""#)
    try python.write("down\n")
    try eventually { try daemon.client().state().pressed }
    try daemon.stop()
    let again = try RunningDaemon(Self.knob, in: daemon.folder)
    try eventually { try again.client().state().live }
    try python.write("-10\n")
    try python.expectOutput(#""brightness": 0.2}"#)
    // Killed with its button down.
    try python.write("down\n")
    try eventually { try again.client().state().pressed }
    python.signal(SIGKILL)
    try eventually {
      let state = try again.client().state()
      return !state.pressed && !state.live
    }
  }

  @Test(.enabled(if: hasJSONC, "needs Scripts/setup --test")) func `C attaches a knob`() throws {
    let daemon = try RunningDaemon(Self.knob)
    let program = try Self.compiled("c/knob.c", in: daemon)
    let knob = try ChildProcess(program, environment: Self.environment(of: daemon))
    try knob.expectOutput("ring 0.00\n")
    try knob.write("+30\n")
    try knob.expectOutput("ring 0.30\n")
    try knob.write("down\n")
    try eventually { try daemon.client().state().pressed }
    try knob.write("up\n")
    try eventually { try !daemon.client().state().pressed }
    knob.endInput()
    #expect(try knob.waitForExit() == 0)
    try eventually { try !daemon.client().state().live }
  }

  /// Without STEPPERD_ADDRESS the user's daemon is found.
  @Test(arguments: ["python/watch.py", "python/resume.py"])
  func `Python finds the user's daemon`(program: String) throws {
    let daemon = try RunningDaemon()
    var environment = Self.environment(of: daemon)
    environment["STEPPERD_ADDRESS"] = nil
    let python = try ChildProcess("/usr/bin/python3", [Self.example(program)], environment: environment)
    try python.expectOutput("volume 0\n")
  }

  /// The program that an example in C is compiled to.
  private static func compiled(_ source: String, in daemon: RunningDaemon) throws -> String {
    let program = "\(daemon.folder.path)/program"
    let flags = try run("pkg-config", ["--cflags", "--libs", "json-c"]).output.split(
      whereSeparator: \.isWhitespace)
    let compiled = try run(
      "gcc",
      ["-Wall", "-Wextra", "-Werror", Self.example(source), "-o", program] + flags.map(String.init))
    #expect(compiled.status == 0, "\(compiled.output)")
    return program
  }

  private static let hasJSONC = (try? run("pkg-config", ["--exists", "json-c"]).status) == 0

  @Test(.enabled(if: hasJSONC, "needs Scripts/setup --test")) func `C follows with json-c`() throws {
    let daemon = try RunningDaemon()
    let program = try Self.compiled("c/watch.c", in: daemon)
    let watch = try ChildProcess(program, environment: Self.environment(of: daemon))
    try watch.expectOutput("volume 0\n")
    try daemon.client().turn(7)
    try watch.expectOutput("volume 7\n")
  }

  @Test func `the tour's shell gets a value`() throws {
    let daemon = try RunningDaemon()
    let block = try #require(
      try Self.blocks("sh", of: "Documentation/tour.md").first { $0.contains("socat") })
    let result = try run("/bin/sh", ["-c", block], environment: Self.environment(of: daemon))
    #expect(result.output.contains(#""text":"0""#), "\(result.output)")
  }

  /// Python in the tour, which takes the socket of the environment.
  @Test func `the tour's Python follows`() throws {
    let daemon = try RunningDaemon()
    let block = try #require(try Self.blocks("python", of: "Documentation/tour.md").first)
    let python = try ChildProcess(
      "/usr/bin/python3", ["-c", block], environment: Self.environment(of: daemon))
    try python.expectOutput("volume 0")
    try daemon.client().turn(7)
    try python.expectOutput("volume 7")
  }

  /// What is typed in the tour, line by line, with what it says is printed.
  @Test func `the tour's session is what is printed`() throws {
    let daemon = try RunningDaemon()
    let session = try #require(try Self.blocks("console", of: "Documentation/tour.md").first)
    for part in ("\n" + session).split(separator: "\n$ ") {
      let lines = part.split(separator: "\n")
      let result = try run("/bin/sh", ["-c", "\(lines[0]) 2>&1"], environment: Self.environment(of: daemon))
      #expect(result.output.split(separator: "\n") == Array(lines.dropFirst()), "\(lines[0])")
    }
  }

  private static func blocks(_ language: String, of document: String) throws -> [String] {
    try TemporaryFolder.contents(ofSource: document).split(separator: "```\(language)\n").dropFirst()
      .compactMap { $0.split(separator: "```").first.map(String.init) }
  }
}
