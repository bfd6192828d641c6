import TestSupport
import Testing
@testable import StepperMQTT

/// `stepperd-mqtt sign-config`.
@Suite struct SignConfigTests {
  /// A right-to-left mark, which a terminal is not shown.
  @Test func `its message is read by a board, whatever is in the text`() throws {
    let folder = try TemporaryFolder()
    let key = "\(folder.path)/key.pem"
    try #require(try run("/usr/bin/openssl", ["genpkey", "-algorithm", "ed25519", "-out", key]).status == 0)
    let publicKey = try run("/usr/bin/openssl", ["pkey", "-in", key, "-pubout"]).output
    let text = "[control.volume]\ntitle = \"\u{200f}שלום\"\n"
    // With the mark that some editors begin a file with.
    try folder.write("\u{feff}\(text)", to: "controls.toml")
    let result = try run(
      builtProgram("stepperd-mqtt"),
      ["sign-config", "--key", key, "--board", "kiosk", "--version", "1", "\(folder.path)/controls.toml"])
    #expect(result.status == 0)
    let verifying = try #require(VerifyingKey(pem: Array(publicKey.utf8)))
    let message = try SignedConfiguration.read(Array(result.output.utf8), by: verifying, for: "kiosk", in: [])
    #expect(message.text == text)
  }

  @Test(arguments: [["sign-config", "--help"], ["help", "sign-config"]])
  func `its help lists each option once`(arguments: [String]) throws {
    let lines = try run(builtProgram("stepperd-mqtt"), arguments).output.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("  --version") } == 1)
    #expect(
      try run(builtProgram("stepperd-mqtt"), ["check", "--version"]).output.hasPrefix("stepperd-mqtt "))
  }
}
