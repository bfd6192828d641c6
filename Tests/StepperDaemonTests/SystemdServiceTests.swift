import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// `io.systemd.service`, which systemd's own services have as well.
@Suite(.timeLimit(.minutes(10))) struct SystemdServiceTests {
  private static let configuration = """
    [daemon]
    log-level = "warning"
    [device.panel]
    virtual = true
    [control.volume]
    rotate = "panel:dial"
    """

  /// A daemon with the level of its configuration, and not one of the command line.
  private struct ConfiguredDaemon {
    let folder: TemporaryFolder
    let process: ChildProcess
    let client: WireClient

    init(arguments: [String] = [], environment: [String: String] = [:]) throws {
      let folder = try TemporaryFolder()
      self.folder = folder
      try folder.write(configuration, to: "stepperd.toml")
      process = try ChildProcess(
        builtProgram("stepperd"), ["--user", "--config", "\(folder.path)/stepperd.toml"] + arguments,
        environment: RunningDaemon.environment(in: folder).merging(environment) { $1 })
      try process.expectOutput("Ctrl-C ends it.")
      client = try WireClient("\(folder.path)/stepperd/org.stepperd")
    }

    func level() throws -> Int64 {
      try client.call(SystemdServiceInterface.GetLogLevel.self, NoParameters()).level
    }

    func setLevel(_ level: Int64?) throws {
      try client.call(SystemdServiceInterface.SetLogLevel.self, .init(level: level))
    }

    func reload(_ text: String) throws {
      try folder.write(text, to: "stepperd.toml")
      try client.call(ManagerInterface.Reload.self, NoParameters())
    }

    func reply(_ call: String) throws -> String? {
      client.send(call)
      return try client.message()
    }

    func stop() throws {
      process.signal(SIGTERM)
      #expect(try process.waitForExit() == 0)
    }
  }

  @Test func `Ping has an empty reply, and takes no parameters`() throws {
    let daemon = try ConfiguredDaemon()
    #expect(try daemon.reply(#"{"method":"io.systemd.service.Ping"}"#) == #"{"parameters":{}}"#)
    let refused = try daemon.reply(#"{"method":"io.systemd.service.Ping","parameters":{"level":7}}"#)
    #expect(refused?.contains(#"InvalidParameter","parameters":{"parameter":"level"}"#) == true)
    try daemon.stop()
  }

  @Test func `the level is in the numbers of syslog, and null returns to that of the configuration`() throws {
    let daemon = try ConfiguredDaemon()
    #expect(try daemon.level() == 4)
    for level in Int64(2)...7 {
      try daemon.setLevel(level)
      #expect(try daemon.level() == level)
    }
    // Nothing that the daemon logs is worse than an error.
    for level in Int64(0)...1 {
      try daemon.setLevel(level)
      #expect(try daemon.level() == 2)
    }
    try daemon.setLevel(nil)
    #expect(try daemon.level() == 4)
    #expect(try daemon.reply(#"{"method":"io.systemd.service.SetLogLevel"}"#) == #"{"parameters":{}}"#)
    for level in ["-1", "8", "7.5", "\"debug\"", "true", "[7]", "1e300"] {
      let refused = try daemon.reply(
        #"{"method":"io.systemd.service.SetLogLevel","parameters":{"level":\#(level)}}"#)
      #expect(refused?.contains(#"InvalidParameter","parameters":{"parameter":"level"}"#) == true, "\(level)")
    }
    #expect(try daemon.level() == 4)
    try daemon.stop()
  }

  @Test func `what is logged changes at once`() throws {
    let daemon = try ConfiguredDaemon()
    try daemon.client.turn(1)
    try daemon.setLevel(7)
    try daemon.process.expectOutput("set the log level, which is now debug")
    try daemon.client.turn(1)
    try daemon.process.expectOutput("daemon: publish volume 2")
    #expect(!daemon.process.output.contains("publish volume 1"))
    try daemon.setLevel(3)
    try daemon.client.turn(1)
    try daemon.stop()
    #expect(!daemon.process.output.contains("publish volume 3"))
  }

  @Test func `a level that was set remains after a reload; without one the configuration's is used`() throws {
    let daemon = try ConfiguredDaemon()
    let other = Self.configuration.replacing("warning", with: "error")
    try daemon.reload(other)
    #expect(try daemon.level() == 3)
    try daemon.setLevel(6)
    try daemon.reload(Self.configuration)
    #expect(try daemon.level() == 6)
    try daemon.setLevel(nil)
    #expect(try daemon.level() == 4)
    try daemon.stop()
  }

  @Test func `null returns to the level of the command line, which a reload does not change`() throws {
    let daemon = try ConfiguredDaemon(arguments: ["--log-level", "notice"])
    #expect(try daemon.level() == 5)
    try daemon.setLevel(7)
    try daemon.setLevel(nil)
    #expect(try daemon.level() == 5)
    try daemon.reload(Self.configuration.replacing("warning", with: "error"))
    #expect(try daemon.level() == 5)
    try daemon.stop()
  }

  @Test func `the environment has the folder of the credentials, and no variable that may be a secret`()
    throws
  {
    let daemon = try ConfiguredDaemon(environment: [
      "CREDENTIALS_DIRECTORY": "/run/credentials/stepperd.service", "LANG": "de_DE.UTF-8",
      "MQTT_PASSWORD": "hunter2", "API_KEY": "hunter2", "HOOK": "hunter2",
    ])
    let shown = try #require(
      try daemon.client.call(SystemdServiceInterface.GetEnvironment.self, NoParameters()).environment)
    #expect(shown.contains("CREDENTIALS_DIRECTORY=/run/credentials/stepperd.service"))
    #expect(shown.contains("LANG=de_DE.UTF-8"))
    #expect(shown.contains("HOME=\(daemon.folder.path)"))
    #expect(!shown.contains { $0.contains("hunter2") })
    try daemon.stop()
  }

  @Test func `a variable that is no text is an inconsistent environment`() throws {
    let folder = try TemporaryFolder()
    let process = try ChildProcess(
      "/bin/sh", ["-c", #"LANG=$(printf 'a\377') exec "$0" --user"#, builtProgram("stepperd")],
      environment: RunningDaemon.environment(in: folder))
    try process.expectOutput("Ctrl-C ends it.")
    let client = try WireClient("\(folder.path)/stepperd/org.stepperd")
    client.send(#"{"method":"io.systemd.service.GetEnvironment"}"#)
    let error = #"{"error":"io.systemd.service.InconsistentEnvironment","parameters":{}}"#
    #expect(try client.message() == error)
    client.send(#"{"method":"io.systemd.service.Ping"}"#)
    #expect(try client.message() == #"{"parameters":{}}"#)
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
  }
}
