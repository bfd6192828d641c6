import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// What people do with `stepperctl` at a terminal: Python programs in `Tests/Terminal` do it on a pty.
@Suite(.timeLimit(.minutes(10))) struct TerminalTests {
  static let hasEmulator = (try? run("/usr/bin/python3", ["-c", "import pyte"]).status) == 0

  /// On a thread of its own, because it takes long and mostly waits.
  static func expectSuccess(_ program: String, within seconds: Double = 500) async throws {
    let arguments = [
      TemporaryFolder.path(ofSource: "Tests/Terminal/\(program)"), builtProgram("stepperd"),
      builtProgram("stepperctl"),
    ]
    let (status, output) = try await onThread { try run("/usr/bin/python3", arguments, within: seconds) }
    #expect(status == 0, "\(output)")
  }

  @Test(.enabled(if: hasEmulator, "needs Scripts/setup --test")) func `watch --bars at a terminal`()
    async throws
  {
    try await Self.expectSuccess("test_bars.py")
  }

  @Test(.enabled(if: hasEmulator, "needs Scripts/setup --test")) func `completion in bash, zsh and fish`()
    async throws
  {
    try await Self.expectSuccess("test_completion.py")
  }
}
