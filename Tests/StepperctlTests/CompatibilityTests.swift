import TestSupport
import Testing

/// What every version that is kept in `Tests/Compatibility` could do, with the present programs.
@Suite(.timeLimit(.minutes(10))) struct CompatibilityTests {
  private static let python = TemporaryFolder.path(ofSource: ".build/python/bin/python")
  private static let isInstalled = (try? run(python, ["-c", "import paho.mqtt"]).status) == 0

  @Test(.enabled(if: isInstalled, "needs Scripts/setup --test"))
  func `what versions wrote and called`()
    async throws
  {
    let programs = builtProgram("stepperd").split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    let corpus = TemporaryFolder.path(ofSource: "Tests/Compatibility/corpus.py")
    let (status, output) = try await onThread { try run(Self.python, [corpus, programs], within: 300) }
    #expect(status == 0, "\(output)")
  }
}
