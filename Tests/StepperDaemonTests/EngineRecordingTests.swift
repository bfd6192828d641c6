import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// `stepperd --record`: a file from which everything can be computed again.
@Suite(.timeLimit(.minutes(10)))
struct EngineRecordingTests {
  private static let configuration = """
    [device.panel]
    virtual = true
    [control.volume]
    rotate = "panel:dial"
    increment = "panel:plus"
    absolute = "panel:fader"
    """

  @Test func `a recording has every input, and its replay the same effects`() throws {
    let folder = try TemporaryFolder()
    var daemon = try RunningDaemon(
      Self.configuration, in: folder, arguments: ["--record", "\(folder.path)/log"])
    try Self.use(daemon, folder)
    #expect(try daemon.stop() == 0)
    let text = try folder.read("log")
    for words in [
      "add panel#1", "REL_DIAL=3", "set volume 12", "step volume 2", "adjust volume maximum=50", "configure",
      "release-everything", "end \"the daemon stopped\"",
    ] { #expect(text.contains(words), "\(words)") }
    try Self.check("\(folder.path)/log")
    // A second recording does not replace the first, and begins with what was remembered.
    daemon = try RunningDaemon(Self.configuration, in: folder, arguments: ["--record", "\(folder.path)/log"])
    #expect(try daemon.stop() == 0)
    #expect(try folder.read("log") == text)
    #expect(try folder.read("log.1").contains("restore volume"))
    try Self.check("\(folder.path)/log.1")
    var status = stat()
    #expect(unsafe stat("\(folder.path)/log.1", &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func `what was recorded until the daemon is killed is in the file`() throws {
    let folder = try TemporaryFolder()
    let daemon = try RunningDaemon(
      Self.configuration, in: folder, arguments: ["--record", "\(folder.path)/log"])
    try daemon.client().turn(7)
    try wait { try folder.read("log").contains("REL_DIAL=7") }
    daemon.process.signal(SIGKILL)
    _ = try daemon.process.waitForExit()
    let run = try ChildProcess(
      builtProgram("stepperctl"), ["replay", "\(folder.path)/log", "--check"], environment: [:])
    #expect(try run.waitForExit() == 0)
    #expect(
      run.output.contains("none differs") && run.output.contains("has no last line \"end\""), "\(run.output)")
  }

  @Test func `a recording ends at its limit, and the daemon goes on`() throws {
    let folder = try TemporaryFolder()
    let daemon = try RunningDaemon(
      Self.configuration, in: folder,
      arguments: ["--record", "\(folder.path)/log", "--record-limit", "64K"])
    let client = try daemon.client()
    for _ in 0..<700 {
      try client.turn(1)
      try client.turn(-1)
    }
    try wait { try folder.read("log").contains("end \"the file has reached its limit\"") }
    #expect(try folder.read("log").utf8.count <= 64 << 10)
    try client.turn(5)
    #expect(try client.state().value == 5)
    #expect(try daemon.stop() == 0)
    try Self.check("\(folder.path)/log")
  }

  @Test(arguments: ["", "/"]) func `a directory is no file to record to`(end: String) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/logs", withIntermediateDirectories: false)
    let daemon = try RunningDaemon(
      Self.configuration, in: folder, arguments: ["--record", "\(folder.path)/logs\(end)"])
    try daemon.client().turn(5)
    #expect(try daemon.stop() == 0)
    #expect(daemon.process.output.contains("inputs are not recorded: cannot create"))
    #expect(daemon.process.output.contains("Is a directory"))
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/logs.1"))
  }

  @Test func `a file that cannot be created or written is said, and the daemon works`() throws {
    let folder = try TemporaryFolder()
    var daemon = try RunningDaemon(
      Self.configuration, in: folder, arguments: ["--record", "\(folder.path)/none/log"])
    try daemon.client().turn(5)
    #expect(try daemon.stop() == 0)
    #expect(daemon.process.output.contains("inputs are not recorded: cannot create"))
    let calls = try SystemCalls()
    daemon = try RunningDaemon(
      Self.configuration, in: folder, arguments: ["--record", "\(folder.path)/log"], calls: calls)
    try wait { try folder.read("log").contains("add panel#1") }
    try calls.arm(lines: ["write * ENOSPC"])
    let client = try daemon.client()
    try client.turn(1)
    try wait {
      try client.call(ManagerInterface.GetStatus.self, NoParameters()).problems.contains {
        $0.contains("inputs are no longer recorded: cannot write")
      }
    }
    calls.disarm()
    try client.turn(1)
    #expect(try client.state().value == 7)
    #expect(try daemon.stop() == 0)
    // Whole lines only.
    #expect(try folder.read("log").hasSuffix("\n"))
  }

  @Test(arguments: ["1", "64", "63K", "-1M", "1.5M", "2000G", "x", "9999999999999999999G", "1m"])
  func `a limit that is none is refused`(limit: String) throws {
    let run = try ChildProcess(
      builtProgram("stepperd"), ["--record", "/nonexistent/log", "--record-limit=\(limit)"], environment: [:])
    #expect(try run.waitForExit() == EX_USAGE)
    #expect(run.output.contains("is not a size; use a number with K, M or G"), "\(run.output)")
  }

  // MARK: Parts

  /// Everything that a daemon can be given without hardware.
  private static func use(_ daemon: RunningDaemon, _ folder: TemporaryFolder) throws {
    let client = try daemon.client()
    try client.turn(3)
    try client.call(ControlInterface.Set.self, .init(control: "volume", value: 12))
    try client.call(ControlInterface.Step.self, .init(control: "volume", steps: 2))
    try client.call(ControlInterface.Adjust.self, .init(control: "volume", maximum: 50))
    try client.press()
    try wait { (try client.state().value ?? 0) >= 16 }
    try folder.write("\(configuration)\r\n# é\n[control.bass]\nrotate = \"panel:dial\"", to: "stepperd.toml")
    try client.call(ManagerInterface.Reload.self, NoParameters())
    try client.turn(-2)
  }

  /// Waits for the daemon's writer.
  private func wait(until condition: () throws -> Bool) throws { try Self.wait(until: condition) }

  private static func wait(until condition: () throws -> Bool) throws {
    // What throws is not there yet.
    guard Deadline().wait(until: { (try? condition()) ?? false }) else {
      throw TestFailure("it did not happen in ten seconds")
    }
  }

  private static func check(_ path: String) throws {
    let run = try ChildProcess(builtProgram("stepperctl"), ["replay", path, "--check"], environment: [:])
    let code = try run.waitForExit()
    #expect(code == 0 && run.output.contains("none differs"), "\(run.output)")
  }
}
