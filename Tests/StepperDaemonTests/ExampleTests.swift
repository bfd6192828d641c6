import FoundationEssentials
import Glibc
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

  @Test func `the shell gets a value over the bare socket`() throws {
    let daemon = try RunningDaemon()
    let result = try run("/bin/sh", [Self.example("shell/get.sh")], environment: Self.environment(of: daemon))
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

  @Test(.enabled(if: OutsidePeerTests.isInstalled(OutsidePeerTests.python), "needs Scripts/setup --test"))
  func `Python steps with the varlink package`() throws {
    let daemon = try RunningDaemon()
    let result = try run(
      OutsidePeerTests.python, [Self.example("python/step.py")], environment: Self.environment(of: daemon))
    #expect(result == (0, "0\n3\n"))
  }

  /// Python in the README, with the socket of this test.
  @Test func `the README's Python follows`() throws {
    let daemon = try RunningDaemon()
    let readme = try TemporaryFolder.contents(ofSource: "README.md")
    let block = try #require(readme.split(separator: "```python\n").last?.split(separator: "```").first)
    let program = block.split(separator: "/run/stepperd/org.stepperd").joined(separator: daemon.socket)
    let python = try ChildProcess(
      "/usr/bin/python3", ["-c", program], environment: Self.environment(of: daemon))
    try python.expectOutput("volume 0")
    try daemon.client().turn(7)
    try python.expectOutput("volume 7")
  }
}
