import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// Daemons that want the same socket or the same values, and what else may stand in their way.
@Suite(.timeLimit(.minutes(10)))
struct TwoDaemonsTests {
  private func start(in folder: TemporaryFolder, _ arguments: [String] = []) throws -> ChildProcess {
    try ChildProcess(
      builtProgram("stepperd"), ["--user"] + arguments, environment: RunningDaemon.environment(in: folder))
  }

  private func refused(
    in folder: TemporaryFolder, _ arguments: [String] = []
  ) throws -> (status: CInt, output: String) {
    try run(
      builtProgram("stepperd"), ["--user"] + arguments, environment: RunningDaemon.environment(in: folder))
  }

  /// Four at a time: one runs and answers, the others say so and end.
  private func race(_ start: (_ number: Int) throws -> ChildProcess, socket: String) throws {
    let daemons = try (0..<4).map(start)
    var running: [ChildProcess] = []
    for daemon in daemons {
      do {
        try daemon.expectOutput("Ctrl-C ends it.")
        running.append(daemon)
      } catch {
        #expect(try daemon.waitForExit() == 69, "\(daemon.output)")
        #expect(daemon.output.contains("another stepperd is running"))
      }
    }
    #expect(running.count == 1)
    // Also when the others have ended.
    #expect(try WireClient(socket).state().control == "volume")
    for daemon in running {
      daemon.signal(SIGTERM)
      #expect(try daemon.waitForExit() == 0)
    }
  }

  @Test func `of daemons that start at once with the same values one runs`() throws {
    let folder = try TemporaryFolder()
    for _ in 0..<25 {
      try race({ _ in try start(in: folder) }, socket: "\(folder.path)/stepperd/org.stepperd")
    }
  }

  @Test(arguments: [
    ("inotify_add_watch * ENOSPC", "No space left on device"),
    ("inotify_init1 * EMFILE", "Too many open files"),
  ])
  func `where nothing can be watched, that is said, and looked at now and then`(fault: String, reason: String)
    throws
  {
    let folder = try TemporaryFolder()
    let calls = try SystemCalls()
    try calls.arm(lines: [fault])
    try folder.write("[control.volume]\n", to: "stepperd.toml")
    let daemon = try ChildProcess(
      builtProgram("stepperd"), ["--user", "--config", "\(folder.path)/stepperd.toml"],
      environment: RunningDaemon.environment(in: folder).merging(calls.environment) { $1 })
    try daemon.expectOutput("Ctrl-C ends it.")
    for path in ["stepperd.toml", "stepperd/org.stepperd"] {
      #expect(
        daemon.output.contains(
          "\(folder.path)/\(path) cannot be watched and is checked once a minute: \(reason)"))
    }
    folder.remove("stepperd/org.stepperd")
    try folder.write("[control.bass]\n", to: "stepperd.toml")
    try daemon.expectOutput("was removed and has been created again", within: 180)
    try daemon.expectOutput("has changed since it was read", within: 180)
    daemon.signal(SIGTERM)
    #expect(try daemon.waitForExit() == 0)
  }

  @Test func `the files of the configuration share one instance of inotify, and the socket has another`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write(
      "[daemon]\ninclude = \"\(folder.path)/more.toml\"\n[control.volume]\n", to: "stepperd.toml")
    let daemon = try start(in: folder, ["--config", "\(folder.path)/stepperd.toml"])
    try daemon.expectOutput("Ctrl-C ends it.")
    let descriptors = "/proc/\(daemon.processID)/fd"
    let targets = try FileManager.default.contentsOfDirectory(atPath: descriptors).compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
    }
    #expect(targets.count { $0 == "anon_inode:inotify" } == 2, "\(targets)")
    daemon.signal(SIGTERM)
    #expect(try daemon.waitForExit() == 0)
  }

  @Test func `of daemons that start at once with the same socket one runs`() throws {
    let folders = try (0..<4).map { _ in try TemporaryFolder() }
    let socket = "\(folders[0].path)/socket"
    for _ in 0..<25 {
      try race({ try start(in: folders[$0], ["--socket", socket]) }, socket: socket)
      #expect(!folders[0].contains("socket"))
    }
  }

  @Test func `a second daemon with a socket of its own does not share the values`() throws {
    let first = try RunningDaemon()
    let second = try refused(in: first.folder, ["--socket", "\(first.folder.path)/own"])
    #expect(second.status == 69)
    #expect(second.output.contains("another stepperd is running as process \(first.process.processID)"))
    #expect(second.output.contains("state-directory"))
  }

  @Test func `a killed daemon leaves nothing that keeps the next one out`() throws {
    let folder = try TemporaryFolder()
    for _ in 0..<10 {
      let daemon = try RunningDaemon(in: folder)
      daemon.process.signal(SIGKILL)
      #expect(try daemon.process.waitForExit() == -SIGKILL)
    }
    let daemon = try RunningDaemon(in: folder)
    #expect(try daemon.stop() == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/stepperd").isEmpty)
  }

  // MARK: What is no socket

  @Test(arguments: [
    (nil, "there is a file at"), (TemporaryFolder.Kind.directory, "there is a directory at"),
    (.fifo, "there is a FIFO at"), (.link, "there is a symbolic link at"),
    (.dangling, "there is a symbolic link at"),
  ])
  func `what is no socket is left where it is`(kind: TemporaryFolder.Kind?, message: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("precious", to: "target")
    if let kind { try folder.make(kind, at: "thing") } else { try folder.write("precious", to: "thing") }
    let before = folder.identity(of: "thing")
    let result = try refused(in: folder, ["--socket", "\(folder.path)/thing"])
    #expect(result.status == 69, "\(result)")
    #expect(result.output.contains(message) && result.output.contains("not a socket"), "\(result)")
    #expect(folder.identity(of: "thing") == before)
    #expect(try folder.read("target") == "precious")
  }

  @Test func `a path that is too long says how long it may be`() throws {
    let folder = try TemporaryFolder()
    let result = try refused(in: folder, ["--socket", "/tmp/" + String(repeating: "x", count: 200)])
    #expect(result.status == 71 && result.output.contains("107"), "\(result)")
  }

  @Test func `a place that is no folder is named`() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "file")
    let result = try refused(in: folder, ["--socket", "\(folder.path)/file/socket"])
    #expect(result.status == 71 && result.output.contains("\(folder.path)/file"), "\(result)")
    #expect(result.output.contains("Not a directory"))
  }

  // MARK: A socket that goes

  @Test func `a socket that somebody removes is made again`() throws {
    let daemon = try RunningDaemon()
    let before = try daemon.client()
    for round in 0..<3 {
      daemon.folder.remove("stepperd/org.stepperd")
      // A socket refuses connections for the moment between its name and its first listening.
      let answers = Deadline().wait { (try? daemon.client().state().control) == "volume" }
      #expect(answers, "round \(round)")
    }
    #expect(try before.state().control == "volume", "who was connected still is")
    #expect(try daemon.stop() == 0)
    #expect(!daemon.folder.contains("stepperd/org.stepperd"))
  }

  @Test func `a folder that somebody removes with the socket is made again`() throws {
    let daemon = try RunningDaemon()
    try FileManager.default.removeItem(atPath: "\(daemon.folder.path)/stepperd")
    let answers = Deadline().wait { (try? daemon.client().state()) != nil }
    #expect(answers)
    #expect(try daemon.stop() == 0)
  }

  @Test func `what takes the place of the socket is left there, and reported until it goes`() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    try daemon.folder.write("precious", to: "new")
    try daemon.folder.rename("new", to: "stepperd/org.stepperd")
    try daemon.process.expectOutput("there is a file at \(daemon.socket)")
    let problems = try client.call(ManagerInterface.GetStatus.self, NoParameters()).problems
    #expect(problems.contains { $0.contains(daemon.socket) }, "\(problems)")
    #expect(try daemon.folder.read("stepperd/org.stepperd") == "precious")
    daemon.folder.remove("stepperd/org.stepperd")
    let answers = Deadline().wait { (try? daemon.client().state()) != nil }
    #expect(answers)
    #expect(try client.call(ManagerInterface.GetStatus.self, NoParameters()).problems.isEmpty)
  }
}
