import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// The real daemon with whatever somebody wrote into its environment.
@Suite(.timeLimit(.minutes(10))) struct EnvironmentTests {
  private static let long = "/" + String(repeating: "x", count: 100_000)

  static let environments: [[String: String]] = [
    ["XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "\n<3>forged", "HOME": ""],
    ["XDG_STATE_HOME": long, "XDG_CONFIG_HOME": long, "HOME": long],
    ["STATE_DIRECTORY": ":::", "RUNTIME_DIRECTORY": long, "CONFIGURATION_DIRECTORY": "a:b"],
    ["LISTEN_PID": "me", "LISTEN_FDS": "2147483648", "LISTEN_FDNAMES": long],
    ["WATCHDOG_USEC": "99999999999999999999", "WATCHDOG_PID": long, "NOTIFY_SOCKET": long],
    ["JOURNAL_STREAM": "1:2:3"], ["JOURNAL_STREAM": long], ["JOURNAL_STREAM": "-1:18446744073709551616"],
    ["PATH": long, "LANG": long, "TERM": "\u{1b}[2J"], ["INVOCATION_ID": "\n", "TERM": ""],
    ["LC_ALL": "\u{202e}", "LANGUAGE": long],
  ]

  @Test(arguments: environments.indices)
  func `nonsense keeps nothing from being served, and writes no line`(_ index: Int) throws {
    let folder = try TemporaryFolder()
    // Whatever folder the environment leads to, the test leaves nothing there.
    try folder.write(
      """
      [daemon]
      state-directory = "\(folder.path)"
      [device.panel]
      virtual = true
      [control.volume]
      rotate = "panel:dial"
      """, to: "stepperd.toml")
    let environment = RunningDaemon.environment(in: folder).merging(Self.environments[index]) { $1 }
    let process = try ChildProcess(
      builtProgram("stepperd"),
      ["--user", "--config", "\(folder.path)/stepperd.toml", "--socket", "\(folder.path)/socket"],
      environment: environment)
    var client: WireClient?
    #expect(
      Deadline().wait {
        client = try? WireClient("\(folder.path)/socket")
        return client != nil
      })
    let connected = try #require(client)
    try connected.turn(3)
    try connected.call(ManagerInterface.Reload.self, NoParameters())
    #expect(try connected.state().value == 3)
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
    for line in process.output.split(separator: "\n") {
      #expect(line.utf8.count <= 8_192 && !line.hasPrefix("<3>"))
      #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202e}" })
    }
  }

  @Test func `paths of the command line are reported from the root directory`() throws {
    let folder = try TemporaryFolder()
    try folder.write("[daemon]\nstate-directory = \"\(folder.path)\"\n", to: "stepperd.toml")
    let command =
      "cd \(folder.path) && exec \(builtProgram("stepperd")) --user --config ./stepperd.toml --socket socket"
    let process = try ChildProcess(
      "/bin/sh", ["-c", command], environment: RunningDaemon.environment(in: folder))
    var client: WireClient?
    #expect(
      Deadline().wait {
        client = try? WireClient("\(folder.path)/socket")
        return client != nil
      })
    let status = try #require(client).call(ManagerInterface.GetStatus.self, NoParameters())
    #expect(status.configuration == "\(folder.path)/stepperd.toml")
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
  }

  @Test(arguments: ["XDG_RUNTIME_DIR", "RUNTIME_DIRECTORY"])
  func `a folder for the socket that cannot be one ends with a message, not a trap`(variable: String) throws {
    let folder = try TemporaryFolder()
    var environment = RunningDaemon.environment(in: folder)
    environment[variable] = "/" + String(repeating: "x", count: 1_000)
    let scope = variable == "RUNTIME_DIRECTORY" ? "--system" : "--user"
    let result = try run(
      builtProgram("stepperd"), [scope, "--config", "/dev/null"], environment: environment)
    #expect(result.status > 0 && result.output.contains("cannot listen: the path"), "\(result)")
  }

  @Test(arguments: [nil, "run"])
  func `without a folder for the socket a user's daemon says so, and does not listen where no client looks`(
    runtime: String?
  ) throws {
    let folder = try TemporaryFolder()
    var environment = RunningDaemon.environment(in: folder)
    environment["XDG_RUNTIME_DIR"] = runtime
    let result = try run(
      builtProgram("stepperd"), ["--user", "--config", "/dev/null"], environment: environment)
    #expect(result.status == 71 && result.output.contains("cannot listen: XDG_RUNTIME_DIR"), "\(result)")
  }

  /// The daemon with a file as its descriptor 3.
  private func start(in folder: TemporaryFolder, count: String) throws -> ChildProcess {
    let shell =
      "LISTEN_PID=$$ LISTEN_FDS=\(count) exec '\(builtProgram("stepperd"))' --user --socket '\(folder.path)/socket'"
    return try ChildProcess(
      "/bin/sh", ["-c", shell + " 3<'\(folder.path)/three'"],
      environment: RunningDaemon.environment(in: folder))
  }

  @Test func `of the service manager's sockets the first is served, where it is, and others are closed`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write(
      "[control.volume.on-change]\ncommand = [\"sh\", \"-c\", 'echo \"at $STEPPERD_ADDRESS\"']\n",
      to: "stepperd.toml")
    let script = """
      import os, socket, sys
      sockets = [socket.socket(socket.AF_UNIX) for _ in range(2)]
      for number, one in enumerate(sockets, 3):
        one.bind(f"{sys.argv[2]}/own{number}.sock")
        one.listen()
      for number, one in enumerate([os.dup(one.fileno()) for one in sockets], 3): os.dup2(one, number)
      os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "2"}
      os.execv(sys.argv[1], [sys.argv[1], "--user", "--config", f"{sys.argv[2]}/stepperd.toml"])
      """
    let process = try ChildProcess(
      "/usr/bin/python3", ["-c", script, builtProgram("stepperd"), folder.path],
      environment: RunningDaemon.environment(in: folder))
    try process.expectOutput("Ctrl-C ends it.")
    let client = try WireClient("\(folder.path)/own3.sock")
    try client.call(ControlInterface.Set.self, .init(control: "volume", value: 5))
    try process.expectOutput("at \(folder.path)/own3.sock")
    #expect(process.output.contains("is a second socket and is closed"))
    #expect(throws: (any Error).self) { try WireClient("\(folder.path)/own4.sock") }
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
  }

  @Test(arguments: ["1", "64", "65", "-1", "2147483648", "x"])
  func `a descriptor that is no socket is left alone, and the daemon listens by itself`(count: String) throws
  {
    let folder = try TemporaryFolder()
    try folder.write("three", to: "three")
    let process = try start(in: folder, count: count)
    try process.expectOutput("Ctrl-C ends it.")
    let client = try WireClient("\(folder.path)/socket")
    #expect(try client.state().value == 0)
    #expect(
      process.output.contains(Int(count).map { (1...64).contains($0) } == true ? "is ignored" : "LISTEN_FDS"))
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
  }
}
