import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// What people do with `stepperctl` at a terminal: Python programs in `Tests/Terminal` do it on a pty.
@Suite(.timeLimit(.minutes(10))) struct TerminalTests {
  static let hasEmulator = (try? run("/usr/bin/python3", ["-c", "import pyte"]).status) == 0

  static func expectSuccess(_ program: String, within seconds: Double = 300) throws {
    let arguments = [
      TemporaryFolder.path(ofSource: "Tests/Terminal/\(program)"), builtProgram("stepperd"),
      builtProgram("stepperctl"),
    ]
    let result = try run("/usr/bin/python3", arguments, within: seconds)
    #expect(result.status == 0, "\(result.output)")
  }

  @Test(.enabled(if: hasEmulator, "needs Scripts/setup --test")) func `watch --bars at a terminal`() throws {
    try Self.expectSuccess("test_bars.py")
  }

  @Test(.enabled(if: hasEmulator, "needs Scripts/setup --test")) func `completion in bash, zsh and fish`()
    throws
  {
    try Self.expectSuccess("test_completion.py")
  }
}
