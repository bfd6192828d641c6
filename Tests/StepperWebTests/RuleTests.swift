import StepperInterfaces
import TestSupport
import Testing

@testable import StepperWeb

@Suite struct `Names of this program` {
  private let loopback = HostRules(
    WebAddress.loopback(port: 8383), hosts: ["Panel.example", "tls.example:8443"])

  @Test(arguments: [
    "localhost:8383", "LOCALHOST:8383", "127.0.0.1:8383", "[::1]:8383", "panel.example", "panel.example:8383",
    "tls.example:8443",
  ])
  func `are accepted`(_ host: String) { #expect(loopback.accepts(host: host.utf8, own: nil)) }

  @Test(arguments: [
    "localhost", "localhost:80", "evil.example", "evil.example:8383", "localhost.:8383",
    "127.0.0.1.evil:8383",
    "tls.example", "192.168.1.1:8383", "", "localhost:8383 ", "[::1]", "xlocalhost:8383",
    "localhos\u{74}\u{301}:8383",
    "localhost:8383" + String(repeating: " ", count: 16_000),
  ])
  func `others are not`(_ host: String) {
    #expect(!loopback.accepts(host: host.utf8, own: Array("192.168.1.1:8383".utf8)))
  }

  @Test func `are an address where all addresses are listened at, but no other name`() {
    let rules = HostRules([.internet(host: "0.0.0.0", port: 80)], hosts: [])
    let own = Array("192.168.1.1:80".utf8)
    #expect(rules.accepts(host: own, own: own))
    #expect(rules.accepts(host: "192.168.1.1".utf8, own: own))
    #expect(!rules.accepts(host: "192.168.1.1".utf8, own: Array("192.168.1.1:8080".utf8)))
    #expect(rules.accepts(host: "localhost".utf8, own: nil))
    #expect(!rules.accepts(host: "evil.example".utf8, own: own))
  }

  @Test(arguments: [
    ("http://localhost:8383", true), ("https://panel.example", true), ("null", false), ("http://evil", false),
    ("ftp://localhost:8383", false), ("localhost:8383", false), ("http://localhost:8383/", false),
  ])
  func `are origins`(_ origin: String, _ isOurs: Bool) {
    #expect(loopback.accepts(origin: origin.utf8, own: nil) == isOurs)
  }
}

@Suite struct `Tokens` {
  private func file(_ text: String, after former: TokenList = TokenList()) throws -> TokenList {
    let (tokens, failures) = TokenList.read(Array(text.utf8), after: former)
    if let failure = failures.first { throw failure }
    return tokens
  }

  @Test func `give the right of their line`() throws {
    let tokens = try file(
      "# kiosk\nview for-looking-only\n\n  operate   abcdefghijklm123 \r\nview abcdefghijklm124\n")
    #expect(tokens.grant(of: "for-looking-only".utf8)?.right == .view)
    #expect(tokens.grant(of: "abcdefghijklm123".utf8)?.right == .operate)
    #expect(tokens.grant(of: "abcdefghijklm124".utf8)?.right == .view)
    for wrong in [
      "", "abcdefghijklm12", "abcdefghijklm1234", "ABCDEFGHIJKLM123", "abcdefghijklm123\0",
      String(repeating: "a", count: 10_000),
    ] {
      #expect(tokens.grant(of: wrong.utf8) == nil)
    }
  }

  @Test func `are the same ones in the next version of a file, unless their right is another one`() throws {
    let first = try file("view aaaaaaaaaaaaaaaa\noperate bbbbbbbbbbbbbbbb\nview cccccccccccccccc")
    let next = try file(
      "view cccccccccccccccc\nview bbbbbbbbbbbbbbbb\noperate dddddddddddddddd", after: first)
    func id(_ token: String, _ tokens: TokenList) -> TokenID? { tokens.grant(of: token.utf8)?.token }
    #expect(id("cccccccccccccccc", next) == id("cccccccccccccccc", first))
    for (token, stays) in [
      ("aaaaaaaaaaaaaaaa", false), ("bbbbbbbbbbbbbbbb", false), ("cccccccccccccccc", true),
    ] {
      #expect(try next.has(#require(id(token, first))) == stays)
    }
    #expect(try !first.has(#require(id("dddddddddddddddd", next))))
  }

  @Test(arguments: [
    "", "# nothing", "operate", "operate abcdefghijklmnop b", "admin abcdefghijklmnop",
    "operate abcdefghijklmno;",
    "view \u{e9}bcdefghijklmnop", "none abcdefghijklmnop", "operate a", "view abcdefghijklmno",
    "operate \(String(repeating: "a", count: 257))",
  ])
  func `that are none`(_ text: String) { #expect(throws: TokenList.Failure.self) { try file(text) } }
}

@Suite struct `Identities of events` {
  @Test(arguments: [("one", "one:5"), ("a:b", "a:b:5"), ("a b%\n", "a%20b%25%0A:5"), ("\u{e9}", "%C3%A9:5")])
  func `are read as they are written`(_ instance: String, _ text: String) {
    let id = EventID(instance: instance, sequence: 5)
    #expect(id.text == text)
    #expect(EventID(Array(text.utf8)) == id)
    #expect(EntityTag.id(Array(EntityTag.of(instance, 5).utf8)) == id)
  }

  @Test func `name what is shown, in each run of the program`() {
    let view = EventID.view(of: ControlFilter(patterns: ["vol*"]), within: [], isReadOnly: false)
    #expect(view == "9099548c36c52e67")
    let id = EventID(instance: "a:b-c", sequence: 5, view: view)
    #expect(EventID(Array(id.text.utf8)) == id)
    #expect(EntityTag.id(Array(EntityTag.of("a:b-c", 5, view: view).utf8)) == id)
    let filters = [
      ControlFilter.all, .init(patterns: ["a"]), .init(patterns: ["a", "b"]), .init(patterns: ["ab"]),
    ]
    var views: Set<String?> = []
    for filter in filters {
      for match in [[], ["a"], ["b"]] {
        for isReadOnly in [false, true] {
          views.insert(EventID.view(of: filter, within: match, isReadOnly: isReadOnly))
        }
      }
    }
    #expect(views.count == 4 * 3 * 2 && views.contains(nil))
  }

  @Test(arguments: [
    "", "a", "a:", "a:-", "a:-5", "a:b", "a%:1", "a%2:1", "a%zz:1", "%ff:1", "a:9223372036854775808",
  ])
  func `or are none`(_ text: String) { #expect(EventID(Array(text.utf8)) == nil) }

  @Test func `are not longer than what is read`() {
    #expect(EventID(Array((String(repeating: "a", count: 600) + ":1").utf8)) == nil)
  }
}

@Suite struct `The controls of a request` {
  private func table(_ controls: [String], after former: ControlRevisions = ControlRevisions())
    -> ControlRevisions
  {
    var table = former
    let descriptions = controls.map { ControlInterface.Description.example($0) }
    var reply = ControlInterface.Subscribe.Reply.snapshot(
      controls.map { .example($0, sequence: 1) }, sequence: 1)
    reply.descriptions = descriptions
    table.apply(reply)
    return table
  }

  @Test func `are found again in each snapshot`() {
    let first = table(["volume", "light", "a[b]", "left"])
    var selection = ControlSelection(ControlFilter(patterns: ["l*t", "a[b]", "vol"]), of: first)
    #expect(["volume", "light", "a[b]", "left"].filter(selection.contains) == ["light", "a[b]", "left"])
    selection.find(in: table(["vol", "lot"], after: first))
    #expect(["vol", "lot", "light"].filter(selection.contains) == ["vol", "lot"])
    #expect(ControlSelection.all.contains("volume"))
  }

  @Test func `are named by any number of names, and by few patterns`() {
    let names = (0..<64).map { "control-with-a-long-name-\($0)" }
    #expect(ControlFilter(patterns: names).isWithinLimits)
    #expect(!ControlFilter(patterns: names.map { "\($0)*" }).isWithinLimits)
    #expect(!ControlFilter(patterns: names + ["one"]).isWithinLimits)
  }
}

@Suite struct `Refusals` {
  @Test(arguments: [400, 401, 403, 404, 405, 413, 415, 421, 422, 429, 431, 501, 503, 504, 505])
  func `have the words of their number`(_ code: Int) {
    let text = String(decoding: Problem(code, "why").text, as: UTF8.self)
    #expect(text.contains("\"status\":\(code)") && !text.contains("\"title\":\"\""), "\(text)")
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
