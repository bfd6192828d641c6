import TestSupport
import Testing

/// `Tests/Stress/stops.py` with fresh seeds, few enough for every day; `make nightly STEPS=torture` takes a thousand.
@Suite(.timeLimit(.minutes(10)))
struct StopModelTests {
  @Test func `random schedules end with exit status 0, and keep what was answered`() throws {
    let script = TemporaryFolder.path(ofSource: "Tests/Stress/stops.py")
    let result = try run(
      "python3", [script, "--program", builtProgram("stepperd"), "--seeds", "50"], within: 500)
    #expect(result.status == 0, "\(result.output)")
  }
}
