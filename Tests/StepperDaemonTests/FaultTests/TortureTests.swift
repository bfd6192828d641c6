import TestSupport
import Testing

/// `Scripts/stress/torture` with a seed and few enough cycles for every day; by hand it does a thousand with any.
@Suite(.timeLimit(.minutes(10)))
struct TortureTests {
  @Test func `killed at random moments, each start has values that were set and are not older than promised`()
    throws
  {
    let script = TemporaryFolder.path(ofSource: "Scripts/stress/torture")
    let result = try run(
      "python3", [script, "--program", builtProgram("stepperd"), "--cycles", "50", "--seed", "8"], within: 300
    )
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("0 cycles with faults"), "\(result.output)")
  }
}
