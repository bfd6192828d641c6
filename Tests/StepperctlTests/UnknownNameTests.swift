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

  @Test func `of several to reset, one that is not there leaves all as they are`() async throws {
    let run = try await run(["reset", "volume", "volum"])
    #expect(run.status == 4 && run.errors.hasSuffix("nothing was changed\n"), "\(run)")
    #expect(!daemon.heard.contains { $0.hasPrefix("Reset") })
  }

  @Test(arguments: [["watch"], ["feedback", "watch"], ["monitor"], ["record", "-"]])
  func `more names than one call may have are refused with their number`(_ command: [String]) async throws {
    let run = try await run(command + Array(repeating: "volume", count: 65))
    #expect(run.errors == "stepperctl: there are 65 names, and at most 64 are possible\n" && run.status == 2)
    #expect(daemon.heard.isEmpty)
  }

  @Test(arguments: [["check", ""], ["replay", ""]])
  func `a file without a name is shown as such`(_ command: [String]) async throws {
    let run = try await run(command)
    #expect(run.errors.hasSuffix(" '': No such file or directory\n") && run.status == 1, "\(run)")
  }

  @Test func `help of help is help, and a misspelt shell is no command`() async throws {
    #expect(try await run(["help", "help"]).status == 0)
    let shell = try await run(["--generate-completion-script", "bas"])
    #expect(shell.status == 2 && !shell.errors.contains("no command"), "\(shell)")
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
