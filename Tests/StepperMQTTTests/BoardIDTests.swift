import Testing
@testable import stepperd_mqtt

@Suite struct `The ID of a board` {
  private func text(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// What `systemd-id128 machine-id --app-specific=…` prints for this machine ID; made with Python's hmac.
  @Test func `is that of systemd for this application`() {
    let machine = Array("0123456789abcdef0123456789abcdef\n".utf8)
    #expect(BoardID.applicationID(of: machine).map(text) == "aac6724fd86d4a2b83709923da970c0d")
    #expect(BoardID.derived(from: machine) == String("aac6724fd86d4a2b83709923da970c0d".prefix(16)))
  }

  @Test(arguments: [
    "", "uninitialized\n", "0123456789abcdef", "zz23456789abcdef0123456789abcdef\n",
    String(repeating: "0", count: 32),
  ])
  func `is none without a machine ID`(_ text: String) {
    #expect(BoardID.derived(from: Array(text.utf8)) == nil)
  }
}
