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
    try folder.write(text, to: "controls.toml")
    let result = try run(
      builtProgram("stepperd-mqtt"),
      ["sign-config", "--key", key, "--board", "kiosk", "--version", "1", "\(folder.path)/controls.toml"])
    #expect(result.status == 0)
    let verifying = try #require(VerifyingKey(pem: Array(publicKey.utf8)))
    let message = try SignedConfiguration.read(Array(result.output.utf8), by: verifying, for: "kiosk", in: [])
    #expect(message.text == text)
  }
}
