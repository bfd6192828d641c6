import Testing
@testable import StepperWeb

@Suite struct `The target of a request` {
  private func target(_ text: String) throws -> RequestTarget { try RequestTarget(Array(text.utf8)) }

  @Test(
    arguments: [
      ("/", [], true), ("/a", ["a"], false), ("/a/", ["a"], true), ("/a/b.c?d", ["a", "b.c"], false),
      ("/%C3%A9", ["\u{e9}"], false), ("/a%20b", ["a b"], false), ("/100%25", ["100%"], false),
      ("/...", ["..."], false), ("/.hidden", [".hidden"], false),
      ("/[1]|^'~@:!$&()*+,;=", ["[1]|^'~@:!$&()*+,;="], false),
      ("/%2527", ["%27"], false),
    ] as [(String, [String], Bool)])
  func `has names`(_ text: String, _ names: [String], _ isFolder: Bool) throws {
    let target = try target(text)
    #expect(target.names == names.map { Array($0.utf8) })
    #expect(target.isFolder == isFolder)
  }

  @Test func `has parameters`() throws {
    let target = try target("/a?b=1&c=%C3%A9&b=2=3&d&&e=a%2Cb?/")
    #expect(target.values("b") == [Array("1".utf8), Array("2=3".utf8)])
    #expect(target.values("c") == [Array("\u{e9}".utf8)])
    #expect(target.values("d") == [[]] && target.values("f") == [])
    #expect(target.values("e") == [Array("a,b?/".utf8)])
  }

  @Test(arguments: [
    "", "*", "a", "//", "/a//b", "/.", "/..", "/a/../b", "/a/.;/b", "/%2e", "/%2E%2E/", "/a%2fb", "/a%5Cb",
    "/a\\b",
    "/%61", "/%7e", "/%00", "/%1f", "/%7F", "/%", "/%2", "/%zz", "/\u{e9}", "/%ff", "/%c0%ae", "/%ed%a0%80",
    "/a b",
    "/a\tb", "/a\u{0}", "/a\"", "/<a>", "/{a}", "/`", "/a#b", "/?a#b", "/?%", "/?a=%ff", "/?\u{e9}", "/? ",
    "http://a/",
    "localhost:80", String(repeating: "/a", count: 33), "/" + String(repeating: "a", count: 256),
    "/" + String(repeating: "a", count: 4_096), "/?" + String(repeating: "a&", count: 129),
    "/" + String(repeating: "\u{301}\u{316}", count: 2_000),
  ])
  func `is refused with a reason`(_ text: String) {
    let fault = #expect(throws: RequestTarget.Fault.self) { try target(text) }
    #expect(fault?.reason.isEmpty == false)
  }

  @Test func `is nothing else in bytes that are no text`() {
    for byte in UInt8.min...UInt8.max {
      let target = try? RequestTarget([UInt8(ascii: "/"), byte])
      let isPlain = (0x21...0x7e).contains(byte) && !"\"#%./<>\\`{}".utf8.contains(byte)
      #expect((target != nil) == isPlain)
    }
  }
}

@Suite("The address of whoever asks") struct TargetTests {
  private func client(_ peer: String, forwarded: String? = nil, plain: String? = nil, _ more: String...)
    -> String
  {
    var proxies = TrustedProxies()
    (proxies.areLocal, proxies.addresses) = (true, Set(["192.0.2.1", "2001:db8::1"] + more))
    var head = RequestHead(method: [])
    head.forwarded = forwarded.map { Array($0.utf8) }
    head.forwardedFor = plain.map { Array($0.utf8) }
    return proxies.client(of: peer, head)
  }

  @Test(arguments: [
    ("198.51.100.7", "198.51.100.7"), ("1.1.1.1, 198.51.100.7", "198.51.100.7"),
    ("198.51.100.7:80", "198.51.100.7"),
    ("[2001:DB8:0::2]:80", "2001:db8::2"), ("2001:db8::2", "2001:db8::2"),
    ("::ffff:198.51.100.7", "198.51.100.7"),
    ("198.51.100.7,192.0.2.1", "198.51.100.7"), ("192.0.2.1", "192.0.2.1"),
    ("a, 198.51.100.7 ", "198.51.100.7"),
    ("198.51.100.7, unknown", ""), ("198.51.100.7,", ""), ("", ""), ("198.51.100.7.1", ""), ("[::1", ""),
    ("[::1]x", ""),
    ("localhost", ""), ("1.1.1.1\u{0}", ""),
    (String(repeating: "1.1.1.1,", count: 2_000) + "198.51.100.7", "198.51.100.7"),
    (String(repeating: "a", count: 15_000), ""),
  ])
  func `is the last of X-Forwarded-For that is no proxy`(_ field: String, _ address: String) {
    #expect(client("", plain: field) == address)
    #expect(client("203.0.113.9", plain: field) == "203.0.113.9")
  }

  @Test(arguments: [
    ("for=198.51.100.7", "198.51.100.7"), ("For=\"198.51.100.7:80\";proto=https", "198.51.100.7"),
    ("proto=http; for=\"[2001:db8::2]:4711\"", "2001:db8::2"),
    ("for=1.1.1.1, for=198.51.100.7", "198.51.100.7"),
    ("for=\"1.1.1.1, for=198.51.100.7", "198.51.100.7"), ("for=198.51.100.7, for=192.0.2.1", "198.51.100.7"),
    ("for=unknown", ""), ("for=_hidden", ""), ("proto=http", ""), ("198.51.100.7", ""), ("for=", ""),
    ("for=\"", ""),
  ])
  func `is the last of Forwarded that is no proxy`(_ field: String, _ address: String) {
    #expect(client("", forwarded: field) == address)
  }

  @Test func `is believed of nobody else, nor where two fields differ`() {
    #expect(client("192.0.2.1", plain: "1.1.1.1") == "1.1.1.1")
    #expect(client("::ffff:192.0.2.1", plain: "1.1.1.1") == "1.1.1.1")
    #expect(client("192.0.2.2", plain: "1.1.1.1") == "192.0.2.2")
    #expect(client("", forwarded: "for=1.1.1.1", plain: "1.1.1.1") == "1.1.1.1")
    #expect(client("", forwarded: "for=1.1.1.1", plain: "2.2.2.2") == "")
    #expect(client("", forwarded: "for=unknown", plain: "2.2.2.2") == "")
    var head = RequestHead(method: [])
    head.forwardedFor = Array("1.1.1.1".utf8)
    #expect(TrustedProxies().client(of: "", head) == "")
  }
}
