import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `The exit status with a closed output` {
  /// The status of `stepperctl` whose descriptor `number` has no reader.
  private func status(_ arguments: [String], closing number: Int) async throws -> CInt {
    let daemon = try SmallDaemon.start()
    return try await onThread {
      let ends = try makePipe()
      close(ends.read)
      defer { close(ends.write) }
      let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
      defer { close(null) }
      var descriptors = [null, null, null]
      descriptors[number] = ends.write
      let child = try spawn(
        [builtProgram("stepperctl")] + arguments, descriptors: descriptors,
        environment: ["STEPPERD_ADDRESS": daemon.path])
      var status: CInt = 0
      guard unsafe waitpid(child, &status, 0) == child else { throw TestFailure("no such child") }
      return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
    }
  }

  @Test(arguments: [["list"], ["get", "volume", "--json"], ["profile", "list"], ["--help"], ["status"]])
  func `is success where the reader of the output has gone`(arguments: [String]) async throws {
    #expect(try await status(arguments, closing: 1) == 0)
  }

  @Test func `is that of the command where the reader of the output has gone`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("[control.volume]\nmaximun = 3\n", to: "x.toml")
    #expect(try await status(["check", "\(folder.path)/x.toml"], closing: 1) == 78)
  }

  @Test func `is a failure with its reason where the output cannot be written`() async throws {
    let run = try await Program.run(
      ["-c", "exec \(builtProgram("stepperctl")) profile list >/dev/full"], program: "/bin/sh")
    #expect(run.status == 1)
    #expect(run.errors == "stepperctl: cannot write the standard output: No space left on device\n")
    let json = try await Program.run(
      ["-c", "exec \(builtProgram("stepperctl")) profile list --json >/dev/full"], program: "/bin/sh")
    #expect(json.status == 1 && json.errors.contains(#""exitStatus":1"#))
  }

  @Test(
    arguments: [
      "stepperd --version", "stepperd --help", "stepperd-web --new-token", "stepperd-link --version",
      "stepperd-midi --help",
      "stepperd-mqtt --version", "stepperd-serial --check --config /dev/null",
    ])
  func `is a failure with its reason where another program cannot answer`(command: String) async throws {
    let words = command.split(separator: " ", maxSplits: 1).map(String.init)
    let run = try await Program.run(
      ["-c", "exec \(builtProgram(words[0])) \(words[1]) >/dev/full"], program: "/bin/sh")
    #expect(run.status == 71)
    #expect(run.errors == "\(words[0]): cannot write the standard output: No space left on device\n")
  }

  @Test(
    arguments: [
      (["get", "nothing"], 4), (["get", "nothing", "--json"], 4), (["list", "x*"], 4),
      (["step", "volume", "x"], 2),
      (["set", "volume", "200"], 1), (["status", "--address", "/nonexistent"], 3), (["get", "volume"], 0),
    ] as [([String], CInt)])
  func `is the same where nobody reads the message`(arguments: [String], expected: CInt) async throws {
    #expect(try await status(arguments, closing: 2) == expected)
  }

  @Test(
    arguments: [("2>&-", "status", 3), (">&-", "--version", 1), (">&- 2>&-", "status", 3)]
      as [(String, String, CInt)])
  func `is the same without the descriptor`(redirection: String, command: String, expected: CInt) async throws
  {
    let script = "exec \(builtProgram("stepperctl")) \(command) --address /nonexistent \(redirection)"
    #expect(try await Program.run(["-c", script], program: "/bin/sh").status == expected)
  }

  @Test func `is an error where the input is to be read`() async throws {
    let run = try await Program.run(
      ["-c", "exec \(builtProgram("stepperctl")) check - <&-"], program: "/bin/sh")
    #expect(run.status == 1)
    #expect(run.errors == "stepperctl: cannot read <stdin>: Bad file descriptor\n")
  }
}
