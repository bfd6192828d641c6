import StepperConfiguration
import Testing
@testable import StepperWeb

@Suite struct `Names of this program` {
  private let loopback = HostRules(
    WebAddress.loopback(port: 8383), hosts: ["Panel.example", "tls.example:8443"])

  @Test(arguments: [
    "localhost:8383", "LOCALHOST:8383", "127.0.0.1:8383", "[::1]:8383", "panel.example", "panel.example:8383",
    "tls.example:8443",
  ])
  func `are accepted`(_ host: String) { #expect(loopback.accepts(host: host, own: nil)) }

  @Test(arguments: [
    "localhost", "localhost:80", "evil.example", "evil.example:8383", "localhost.:8383",
    "127.0.0.1.evil:8383",
    "tls.example", "192.168.1.1:8383", "", "localhost:8383 ", "[::1]", "xlocalhost:8383", nil,
  ])
  func `others are not`(_ host: String?) { #expect(!loopback.accepts(host: host, own: "192.168.1.1:8383")) }

  @Test func `are an address where all addresses are listened at, but no other name`() {
    let rules = HostRules([.internet(host: "0.0.0.0", port: 80)], hosts: [])
    #expect(rules.accepts(host: "192.168.1.1:80", own: "192.168.1.1:80"))
    #expect(rules.accepts(host: "localhost", own: nil))
    #expect(!rules.accepts(host: "evil.example", own: "192.168.1.1:80"))
  }

  @Test(arguments: [
    ("http://localhost:8383", true), ("https://panel.example", true), ("null", false), ("http://evil", false),
    ("ftp://localhost:8383", false), ("localhost:8383", false), ("http://localhost:8383/", false),
  ])
  func `are origins`(_ origin: String, _ isOurs: Bool) {
    #expect(loopback.accepts(origin: origin, own: nil) == isOurs)
  }
}

@Suite struct `Tokens` {
  private func file(_ text: String) throws -> TokenFile { try TokenFile(Array(text.utf8)) }

  @Test func `give the right of their line`() throws {
    let tokens = try file("# kiosk\nview looking-only\n\n  operate   abc123 \r\nview abc124\n")
    #expect(tokens.right(of: "looking-only") == .view)
    #expect(tokens.right(of: "abc123") == .operate)
    #expect(tokens.right(of: "abc124") == .view)
    for wrong in ["", "abc12", "abc1234", "ABC123", "abc123\0", String(repeating: "a", count: 10_000)] {
      #expect(tokens.right(of: wrong) == nil)
    }
  }

  @Test(arguments: ["", "# nothing", "operate", "operate a b", "admin abc", "operate a;b", "view \u{e9}"])
  func `that are none`(_ text: String) { #expect(throws: TokenFile.Failure.self) { try file(text) } }
}

@Suite struct `A limit of rates` {
  private func taken(_ count: Int, of limit: inout RateLimit, at now: RateLimit.Instant) -> Int {
    var taken = 0
    for _ in 0..<count where limit.take("a", at: now) { taken += 1 }
    return taken
  }

  @Test func `is a burst, then a rate, for each address`() {
    var limit = RateLimit(perSecond: 100, burst: 200)
    let start = ContinuousClock.now
    #expect(taken(250, of: &limit, at: start) == 200)
    let other = limit.take("b", at: start)
    #expect(other)
    #expect(taken(250, of: &limit, at: start + .seconds(1)) == 100)
    #expect(taken(250, of: &limit, at: start + .seconds(60)) == 200)
  }

  @Test func `does not forget who has used it up, however many there are`() {
    var limit = RateLimit(perSecond: 1, burst: 2)
    let start = ContinuousClock.now
    _ = limit.take("a", at: start)
    _ = limit.take("a", at: start)
    for index in 0..<5000 { _ = limit.take("\(index)", at: start) }
    #expect(!limit.allows("a", at: start))
  }
}

@Suite struct `Identities of events` {
  @Test(arguments: [("one", "one:5"), ("a:b", "a:b:5"), ("a b%\n", "a%20b%25%0A:5"), ("\u{e9}", "%C3%A9:5")])
  func `are read as they are written`(_ instance: String, _ text: String) {
    let id = EventID(instance: instance, sequence: 5)
    #expect(id.text == text)
    #expect(EventID(text) == id)
    #expect(EntityTag.id(EntityTag.of(instance, 5)) == id)
  }

  @Test(arguments: ["", "a", "a:", "a:b", "a%:1", "a%2:1", "a%zz:1", "%ff:1", "a:9223372036854775808"])
  func `or are none`(_ text: String) { #expect(EventID(text) == nil) }

  @Test func `are not longer than what is read`() {
    #expect(EventID(String(repeating: "a", count: 600) + ":1") == nil)
  }
}

@Suite struct `The depth of JSON` {
  @Test(arguments: [
    ("{}", 1), ("{\"a\":[{}]}", 3), ("{\"[[[\":\"{{\\\"{\"}", 1), ("[][][]", 1), ("}}}{", 0), ("", 0),
  ])
  func `counts brackets outside of strings`(_ text: String, _ depth: Int) {
    #expect(JSONBody.depth(of: Array(text.utf8)) == depth)
  }
}
