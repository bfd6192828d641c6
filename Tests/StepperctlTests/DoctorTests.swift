import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

@Suite(.timeLimit(.minutes(10))) struct `stepperctl doctor` {
  /// Another system, without a daemon.
  private func examine(_ folder: TemporaryFolder, _ arguments: String...) async throws -> Run {
    try await Program.run(
      ["doctor", "--root", folder.path] + arguments,
      environment: ["HOME": "/home/x", "STEPPERD_ADDRESS": "/nonexistent"])
  }

  @Test func `works without a daemon, and ends with 1 if something is wrong`() async throws {
    let folder = try TemporaryFolder()
    let run = try await examine(folder)
    #expect(run.status == 1 && run.errors.isEmpty)
    #expect(run.output.hasPrefix("wrong    daemon"))
    #expect(run.output.contains("\n      stepperd\n"))
    #expect(run.output.hasSuffix("\n1 thing is wrong\n"))
  }

  @Test func `prints an object a finding`() async throws {
    let folder = try TemporaryFolder()
    let lines = try await examine(folder, "--json").output.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix(#"{"finding":""#) && $0.contains(#""verdict":""#) })
    #expect(
      lines.first.map(String.init)
        == #"{"finding":"daemon.stopped","reason":"Without it no control moves.","remedies":[{"kind":"command","text":"stepperd"}],"#
        + #""seen":"no daemon is running","subject":"daemon","verdict":"wrong"}"#)
  }

  @Test func `asks the daemon that is named`() async throws {
    let daemon = try SmallDaemon.start()
    let run = try await Program.run(
      ["doctor", "--address", daemon.path], environment: ["HOME": "/nonexistent"])
    #expect(run.output.contains("stepperd 1.2.3 answers at \(daemon.path)"))
    #expect(run.output.contains("stepperd is 1.2.3, stepperctl is \(productVersion)"))
    #expect(run.output.contains("it reports: knob: permission denied"))
    #expect(run.status == 1)
  }

  @Test func `does not wait longer than its time limit for a daemon that does not answer`() async throws {
    let listener = try PeerListener()
    let run = try await Program.run(
      ["doctor", "--address", listener.path, "--timeout", "50ms"], environment: ["HOME": "/nonexistent"])
    #expect(run.output.contains("the daemon at \(listener.path) does not answer in time"))
  }

  @Test func `says that a named address leads nowhere`() async throws {
    let folder = try TemporaryFolder()
    let run = try await Program.run(
      ["doctor", "--address", "\(folder.path)/none", "--json"], environment: ["HOME": "/nonexistent"])
    #expect(run.output.contains(#""finding":"daemon.stopped""#))
    #expect(run.status == 1)
  }
}
