import Glibc
import TestSupport
import Testing

/// What `stepperctl` reads of a link.
@Suite(.timeLimit(.minutes(5)))
struct StatusFileTests {
  @Test func `of two links the second is shown when the first has ended`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      [control.volume]
      [link.own]
      control = "volume"
      command = ["/usr/bin/cat"]
      """, to: "stepperd.toml")
    let environment = LinkUnderTest.inherited.merging(["RUNTIME_DIRECTORY": folder.path]) { $1 }
    func start() throws -> ChildProcess {
      try ChildProcess(
        builtProgram("stepperd-link"),
        ["--config", "\(folder.path)/stepperd.toml", "--address", "\(folder.path)/none"],
        environment: environment)
    }
    func shown() -> String? { (try? folder.read("status"))?.split(separator: "\n").first.map(String.init) }
    let first = try start()
    #expect(Deadline().wait { shown() == "\(first.processID)" })
    let second = try start()
    // It finds the file of the first.
    try second.expectOutput("disconnected")
    #expect(shown() == "\(first.processID)")
    first.signal(SIGTERM)
    _ = try first.waitForExit()
    #expect(Deadline().wait { shown() == "\(second.processID)" })
    second.signal(SIGTERM)
    #expect(try second.waitForExit() == 0)
  }
}
