import TestSupport
import Testing

/// `Tests/Stress/ends.py` with fresh seeds, few enough for every day; `make nightly STEPS=torture` takes more.
@Suite(.timeLimit(.minutes(10)))
struct LinkEndTests {
  @Test func `random schedules end with exit status 0, without a coprocess left`() throws {
    let program = builtProgram("stepperd-link")
    let script = TemporaryFolder.path(ofSource: "Tests/Stress/ends.py")
    let result = try run(
      "env",
      [
        "STEPPERD_BUILD=\(program.prefix(upTo: program.lastIndex(of: "/") ?? program.endIndex))", "python3",
        script, "link", "--seeds", "20",
      ], within: 500)
    #expect(result.status == 0, "\(result.output)")
  }
}
