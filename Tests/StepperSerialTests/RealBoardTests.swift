import FoundationEssentials
import TestSupport
import Testing

/// The real programs with boards on pseudoterminals: the tests of `Tests/Serial`.
@Suite(.serialized) struct RealBoardTests {
  @Test(arguments: [
    ("test_serial.py", "Plugged"), ("test_serial.py", "Lost"), ("test_serial.py", "Refused"),
    ("test_serial.py", "Felt"),
    ("test_sketches.py", "Sketches.test_micropython"), ("test_sketches.py", "Sketches.test_arduino"),
  ])
  func `a board is a device`(file: String, tests: String) throws {
    let program = builtProgram("stepperd-serial")
    let build = String(program.prefix(upTo: program.lastIndex(of: "/") ?? program.endIndex))
    let script = TemporaryFolder.path(ofSource: "Tests/Serial/\(file)")
    // The other parts run at the same time, so that what waits for something waits longer.
    let environment = ["PATH": "/usr/bin:/bin", "STEPPERD_BUILD": build, "STEPPERD_PATIENCE": "4"]
    let result = try run("/usr/bin/python3", [script, tests], environment: environment, within: 600)
    #expect(result.status == 0, "\(result.output)")
  }
}
