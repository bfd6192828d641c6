import Glibc
import TestSupport
import Testing

@testable import StepperWeb

extension SiteTests {
  @Suite struct `The token file` {
    static let view = "view view-token-of-the-test\n"
    static let operate = "operate operate-token-of-the-test\n"
    static let both = view + operate

    private static func settings(_ text: String) throws -> (settings: WebSettings, path: String) {
      let path = "\(try PeerListener.newDirectory())/tokens"
      try Site.write(text, to: path)
      var settings = WebSettings()
      settings.tokenFile = path
      return (settings, path)
    }

    private static func bearer(_ right: String) -> [String: String] {
      ["Authorization": "Bearer \(right)-token-of-the-test"]
    }

    private static func stream(_ site: Site, _ right: String) throws -> (browser: Browser, id: String) {
      let browser = try site.browser()
      try browser.send(
        "GET /api/v1/events HTTP/1.1\r\nHost: localhost:\(site.port)\r\nAuthorization: Bearer \(right)-token-of-the-test\r\n\r\n"
      )
      let stream = try #require(try browser.event())
      return (browser, String(stream.data.dropFirst("{\"id\":\"".count).dropLast("\"}".count)))
    }

    @Test func `takes tokens away, and their streams and holds, while others stay`() async throws {
      let released = TestSupport.Signal()
      let peer = try daemon(noting: released)
      let (settings, path) = try Self.settings(Self.both)
      try await Site.serve(settings, daemon: peer.path) { site in
        try site.waitForDaemon(token: "operate-token-of-the-test")
        let (viewer, _) = try Self.stream(site, "view")
        let (operating, id) = try Self.stream(site, "operate")
        let press = "{\"hold\":\"i\",\"control\":\"volume\",\"action\":\"push\",\"stream\":\"\(id)\"}"
        #expect(try site.answer("POST", "/api/v1/holds", press, Self.bearer("operate")).status == 201)
        // A request whose body is still to come.
        let slow = try site.browser()
        try slow.send(
          """
          POST /api/v1/controls/volume/reset HTTP/1.1\r\nHost: localhost:\(site.port)\r\nX-Stepper: 1\r
          Content-Type: application/json\r\nContent-Length: 2\r\nAuthorization: Bearer operate-token-of-the-test\r\n\r\n{
          """)
        try Site.write(Self.view, to: path)
        site.tokenFileChanges.signal()
        while try operating.event() != nil {}
        try released.wait()
        try slow.send("}")
        #expect(try slow.answer()?.status == 401)
        #expect(try site.answer("GET", "/api/v1/status", nil, Self.bearer("operate")).status == 401)
        #expect(try site.answer("GET", "/api/v1/status", nil, Self.bearer("view")).status == 200)
        // It lives: a tick comes.
        #expect(try viewer.text(upTo: "event: tick") != nil)
        try Site.write(Self.both, to: path)
        site.tokenFileChanges.signal()
        while try site.answer("GET", "/api/v1/status", nil, Self.bearer("operate")).status != 200 {}
      }
      #expect(!peer.heard.contains { $0.hasPrefix("Reset") })
    }

    @Test func `gives nothing while it cannot be trusted, and its tokens again when it can`() async throws {
      let peer = try daemon()
      let (settings, path) = try Self.settings(Self.both)
      try await Site.serve(settings, daemon: peer.path) { (site: Site) throws -> Void in
        func wait(for status: Int) throws {
          site.tokenFileChanges.signal()
          while try site.answer("GET", "/api/v1/status", nil, Self.bearer("view")).status != status {}
        }
        _ = unsafe chmod(path, 0o622)
        try wait(for: 401)
        _ = unsafe chmod(path, 0o600)
        try wait(for: 200)
        _ = unsafe unlink(path)
        try wait(for: 401)
        try Site.write(Self.both, to: path)
        try wait(for: 200)
        // A line that is none takes only itself away.
        try Site.write("opera\n" + Self.view, to: path)
        site.tokenFileChanges.signal()
        while try site.answer("GET", "/api/v1/status", nil, Self.bearer("operate")).status != 401 {}
        #expect(try site.answer("GET", "/api/v1/status", nil, Self.bearer("view")).status == 200)
      }
    }
  }
}

@Suite("A token file at the start") struct TokenFileTests {
  private func check(_ text: String, mode: mode_t = 0o600) throws -> String? {
    let path = "\(try PeerListener.newDirectory())/tokens"
    try Site.write(text, to: path)
    _ = unsafe chmod(path, mode)
    var settings = WebSettings()
    settings.tokenFile = path
    return WebProgram.problems(settings).first?.description
  }

  @Test(arguments: [0o600, 0o640, 0o644, 0o400] as [mode_t])
  func `may be that of its owner`(_ mode: mode_t) throws {
    #expect(try check("view 0123456789abcdef\n", mode: mode) == nil)
  }

  @Test(arguments: [0o620, 0o602, 0o666, 0o660] as [mode_t])
  func `is refused if others can write it`(_ mode: mode_t) throws {
    #expect(try check("view 0123456789abcdef\n", mode: mode)?.contains("can be written by others") == true)
  }

  @Test(arguments: ["view a\n", "operate 0123456789abcde", "view 0123456789abcdef\noperate short"])
  func `is refused if a token is short`(_ text: String) throws {
    let message = try check(text)
    #expect(message?.contains("at least 16") == true)
    #expect(message?.contains("--new-token") == true)
  }

  @Test func `is refused among the pages, beside all other problems`() throws {
    let folder = try PeerListener.newDirectory()
    let settings = """
      token-file = "\(folder)/tokens"
      pages = "\(folder)"
      """
    try Site.write("view 0123456789abcdef\n", to: "\(folder)/tokens")
    _ = unsafe chmod("\(folder)/tokens", 0o620)
    let problems = WebProgram.problems(
      try #require(WebSettings.load(Array(settings.utf8), file: "w.toml").settings))
    #expect(problems.count == 2)
    #expect(problems.last?.description.contains("is in the folder of pages") == true)
  }

  @Test func `takes the tokens that the program makes`() {
    let tokens = (0..<100).map { _ in RandomName.make() }
    #expect(Set(tokens).count == 100)
    let text = tokens.map { "view \($0)\n" }.joined()
    #expect(TokenList.read(Array(text.utf8)).failures.isEmpty)
  }
}
