import Testing
@testable import stepperd_mqtt

@Suite struct `The ID of a board` {
  private func text(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// FIPS 180-4's examples, and RFC 4231's second one.
  @Test func `is made with the standard's hash`() {
    #expect(
      text(SHA256.digest(Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(text(SHA256.digest([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    let long = Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)
    #expect(text(SHA256.digest(long)) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    let code = SHA256.authenticationCode(
      of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(text(code) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
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
