import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `How stepperctl answers names that do not exist` {
  private let daemon: AnsweringPeer

  init() throws { daemon = try SmallDaemon.start() }

  private func run(_ arguments: [String]) async throws -> Run {
    try await Program.run(arguments, environment: ["STEPPERD_ADDRESS": daemon.path])
  }

  @Test(arguments: [
    ["get"], ["list"], ["watch"], ["watch", "--once"], ["feedback", "watch"],
  ])
  func `a name is answered as by get`(_ command: [String]) async throws {
    let message = "stepperctl: there is no control 'volum'; did you mean 'volume'?\n"
    #expect(try await run(command + ["volum"]) == Run(errors: message, status: 4))
  }

  @Test func `a name is answered in JSON, too`() async throws {
    let run = try await run(["list", "--json", "volum"])
    #expect(run.status == 4 && run.output.isEmpty)
    #expect(run.errors.contains(#""message":"there is no control 'volum'; did you mean 'volume'?""#))
  }

  @Test(arguments: [["list"], ["watch", "--once"], ["watch", "--once", "volume"]])
  func `a pattern that matches nothing is 4`(_ command: [String]) async throws {
    let run = try await run(command + ["x*"])
    #expect(run.errors == "stepperctl: no control matches 'x*'\n" && run.status == 4)
  }

  @Test(arguments: [["watch"], ["feedback", "watch"]])
  func `a pattern may match after a reload`(_ command: [String]) async throws {
    let run = try await run(command + ["x*"])
    #expect(run.errors.hasPrefix("stepperctl: no control matches 'x*' yet; waiting for one\n"))
    #expect(daemon.heard.last?.hasPrefix("Subscribe") == true)
  }
}
