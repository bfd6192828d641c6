import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Other people's Varlink implementations against ours.
@Suite(.timeLimit(.minutes(10)))
struct OutsidePeerTests {
  /// PyPI's `varlink`, where `Scripts/setup --test` puts it.
  static let python = "\(builtProgram(""))../../python/bin/python"
  /// Whether its index had the package.
  static let hasPython = FileManager.default.fileExists(
    atPath: "\(builtProgram(""))../../python/varlink-version")
  static let go = "/usr/bin/varlink-go-certification"
  static let socat = "/usr/bin/socat"

  static func isInstalled(_ program: String) -> Bool { FileManager.default.isExecutableFile(atPath: program) }

  /// A certification service of somebody, running.
  private func service(_ program: String, _ arguments: [String], at socket: String) throws -> ChildProcess {
    let child = try ChildProcess(program, arguments)
    // The file is there before anybody listens.
    #expect(Deadline().wait { (try? WireClient(socket)) != nil })
    return child
  }

  @Test(.enabled(if: hasPython, "needs Scripts/setup --test"))
  func `Python's client certifies our server`() throws {
    let folder = try TemporaryFolder()
    let socket = "\(folder.path)/socket"
    let service = try ChildProcess(builtProgram("certification"), ["serve", socket])
    try service.expectOutput("serving")
    let arguments = ["-m", "varlink.tests.test_certification", "--client", "--varlink=unix:\(socket)"]
    let result = try run(Self.python, arguments)
    #expect(result.output.contains("Certification passed"), "\(result.output)")
    #expect(result.status == 0)
  }

  @Test(.enabled(if: hasPython, "needs Scripts/setup --test"))
  func `our client certifies Python's server`() throws {
    let folder = try TemporaryFolder()
    let socket = "\(folder.path)/socket"
    let arguments = ["-u", "-m", "varlink.tests.test_certification", "--varlink=unix:\(socket)"]
    let service = try ChildProcess(Self.python, arguments)
    try service.expectOutput("Listening on")
    let result = try run(builtProgram("certification"), ["call", socket])
    #expect(result == (0, "certified\n"))
  }

  @Test(.enabled(if: isInstalled(go), "needs the Debian package varlink-go"))
  func `Go's client certifies our server`() throws {
    let folder = try TemporaryFolder()
    let socket = "\(folder.path)/socket"
    let service = try ChildProcess(builtProgram("certification"), ["serve", socket])
    try service.expectOutput("serving")
    let result = try run(Self.go, ["--client", "--varlink=unix:\(socket)"])
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("End"), "\(result.output)")
  }

  @Test(.enabled(if: isInstalled(go), "needs the Debian package varlink-go"))
  func `our client certifies Go's server`() throws {
    let folder = try TemporaryFolder()
    let socket = "\(folder.path)/socket"
    let service = try service(Self.go, ["--varlink=unix:\(socket)"], at: socket)
    let result = try run(builtProgram("certification"), ["call", socket])
    #expect(result == (0, "certified\n"))
    #expect(service.processID > 0)
  }

  @Test(.enabled(if: hasPython, "needs Scripts/setup --test"))
  func `Python's command line drives the real daemon`() throws {
    let daemon = try RunningDaemon()
    func cli(_ arguments: String...) throws -> String {
      try run(Self.python, ["-m", "varlink.cli"] + arguments).output
    }
    let address = "unix:\(daemon.socket)"
    #expect(try cli("info", address).contains("org.stepperd.control"))
    #expect(try cli("help", "\(address)/org.stepperd.control").contains("method Subscribe("))
    let set = try cli("call", "\(address)/org.stepperd.control.Set", #"{"control":"volume","value":42}"#)
    #expect(set.contains(#""text": "42""#), "\(set)")
    let wrong = try cli("call", "\(address)/org.stepperd.control.Get", #"{"control":"volum"}"#)
    #expect(wrong.contains("NoSuchControl"), "\(wrong)")
  }

  @Test(.enabled(if: isInstalled(socat), "needs the Debian package socat"))
  func `a shell drives the real daemon`() throws {
    let daemon = try RunningDaemon()
    let call = #"printf '{"method":"org.stepperd.control.Get","parameters":{"control":"volume"}}\0'"#
    let result = try run(
      "/bin/sh", ["-c", "\(call) | socat - UNIX-CONNECT:\(daemon.socket) | tr '\\0' '\\n'"])
    #expect(result.output.contains(#""control":"volume""#), "\(result.output)")
    #expect(result.status == 0)
  }
}
