import FoundationEssentials
import Glibc
import StepperCore
import StepperInterfaces
import StepperLinux
import TestSupport
import Testing
import Varlink

@testable import StepperDaemon

/// The file `lock` of the state directory is something else, or the directory cannot be used at the start.
@Suite(.timeLimit(.minutes(10)))
struct LockTroubleTests {
  private static let configuration = "\(SavingTests.eager)\(SavingTests.volume)"

  @Test(arguments: TemporaryFolder.Kind.all)
  func `values are read without a lock, and written when it is mended`(kind: TemporaryFolder.Kind) throws {
    let folder = try TemporaryFolder()
    var daemon = try RunningDaemon(Self.configuration, in: folder)
    try daemon.client().turn(42)
    #expect(try daemon.stop() == 0)
    folder.remove("state/stepperd/lock")
    try folder.make(kind, at: "state/stepperd/lock")
    daemon = try RunningDaemon(Self.configuration, in: folder)
    let client = try daemon.client()
    #expect(try client.state().value == 42)
    let problems = try client.call(ManagerInterface.GetStatus.self, NoParameters()).problems
    #expect(problems.count == 1 && problems[0].contains("values are not saved"), "\(problems)")
    let before = try daemon.savedText()
    try client.turn(1)
    try client.send(ManagerInterface.Save.self, NoParameters())
    #expect(try client.reply().error == ManagerInterface.SaveFailed.name)
    #expect(try daemon.savedText() == before)
    folder.remove("state/stepperd/lock")
    try daemon.process.expectOutput("values are saved again")
    #expect(try client.call(ManagerInterface.Save.self, NoParameters()) == NoParameters())
    #expect(try client.state().value == 43)
    #expect(try daemon.savedText().contains("\"43\""))
    #expect(try client.call(ManagerInterface.GetStatus.self, NoParameters()).problems.isEmpty)
  }

  @Test func `a stop without a lock ends, and leaves the values of before`() throws {
    let folder = try TemporaryFolder()
    var daemon = try RunningDaemon(Self.configuration, in: folder)
    try daemon.client().turn(42)
    #expect(try daemon.stop() == 0)
    folder.remove("state/stepperd/lock")
    try folder.make(.directory, at: "state/stepperd/lock")
    daemon = try RunningDaemon(Self.configuration, in: folder)
    try daemon.client().turn(1)
    let before = try daemon.savedText()
    #expect(try daemon.stop() == 0)
    #expect(daemon.process.output.contains("the last values were not written"))
    #expect(try daemon.savedText() == before)
  }

  @MainActor @Test func `a Save that is asked for while values are read again has its answer`() throws {
    let folder = try TemporaryFolder()
    try folder.write("in the way", to: "state")
    let start = Instant.now
    let store = try ValueStore(
      directory: "\(folder.path)/state", saveAfter: .zero, saveInterval: .zero, journal: Journal(LogOutput()))
    try store.load(at: start)
    #expect(store.problem.text != nil)
    folder.remove("state")
    store.writeIfDue(at: start + .seconds(2))
    // It is reading now: the values of this request are in the write that follows.
    let write = store.requestWrite()
    #expect(store.result(of: write) == nil)
    #expect(store.finish(until: .now + .seconds(30)))
    let result = try #require(store.result(of: write))
    #expect(throws: Never.self) { try result.get() }
    #expect(store.counters.saves == 1)
  }

  @MainActor @Test func `a Save that is asked for while reading fails has its answer`() throws {
    let folder = try TemporaryFolder()
    try folder.write("in the way", to: "state")
    let start = Instant.now
    let store = try ValueStore(
      directory: "\(folder.path)/state", saveAfter: .zero, saveInterval: .zero, journal: Journal(LogOutput()))
    try store.load(at: start)
    store.writeIfDue(at: start + .seconds(2))
    let write = store.requestWrite()
    #expect(!store.finish(until: .now + .seconds(30)))
    let result = try #require(store.result(of: write))
    #expect(throws: LockFailure.self) { try result.get() }
  }
}
