import Glibc
import Logging
import TestSupport
import Testing

@testable import StepperWeb

extension SiteTests {
  @Suite struct `The rules of requests` {
    @Test(
      arguments: [
        ("GET", "/api/v1/controls", ["Host": "evil.example"], 421),
        ("GET", "/", ["Host": "evil.example"], 421), ("POST", "/api/v1/holds", ["Host": "evil.example"], 421),
        ("POST", "/api/v1/controls/volume/reset", ["Origin": "http://evil.example"], 403),
        ("POST", "/api/v1/controls/volume/reset", ["Origin": "null"], 403),
        ("POST", "/api/v1/controls/volume/reset", ["Sec-Fetch-Site": "same-origin"], 403),
        ("POST", "/api/v1/controls/volume/reset", ["X-Stepper": ""], 403),
        ("POST", "/api/v1/controls/volume/reset", ["Content-Type": "text/plain"], 415),
        ("POST", "/api/v1/controls/volume/reset", ["Content-Type": ""], 415),
        ("POST", "/api/v1/controls/volume/reset", [:], 200),
        ("GET", "/api/v1/events", ["Sec-Fetch-Site": "cross-site"], 403),
        ("GET", "/api/v1/events", ["Sec-Fetch-Site": "same-site"], 403),
        ("GET", "/", ["Sec-Fetch-Site": "none"], 200), ("GET", "/", ["Origin": "http://evil.example"], 403),
        ("OPTIONS", "/api/v1/controls", [:], 405), ("PUT", "/", [:], 405),
        ("DELETE", "/api/v1/holds", [:], 405),
        ("POST", "/api/v1/controls", [:], 405), ("GET", "/api/v1/nothing", [:], 404),
        ("GET", "/none", [:], 404),
        ("GET", "/../index.html", [:], 400), ("GET", "/%2e%2e/index.html", [:], 400),
        ("GET", "/.hidden", [:], 404), ("GET", "/%00", [:], 400), ("GET", "/%zz", [:], 400),
        ("HEAD", "/", [:], 200),
        ("GET", "/api/v1/controls/none", [:], 404), ("GET", "http://evil.example/", [:], 400),
      ] as [(String, String, [String: String], Int)])
    func `decide`(_ method: String, _ path: String, _ headers: [String: String], _ status: Int) async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        let body = method == "POST" ? "{}" : nil
        let answer = try site.answer(method, path, body, headers)
        #expect(answer.status == status)
        #expect(answer.headers["content-security-policy"]?.contains("default-src 'none'") == true)
        #expect(answer.headers["x-content-type-options"] == "nosniff")
        #expect(answer.headers["access-control-allow-origin"] == nil)
        #expect(answer.headers["set-cookie"] == nil)
        if status >= 400, method != "HEAD" {
          #expect(answer.headers["content-type"] == "application/problem+json")
        }
      }
    }

    @Test(arguments: [
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET /pages/a b HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
    ])
    func `say of what is no request that it is none`(_ text: String) async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        let browser = try site.browser()
        try browser.send(text)
        let answer = try #require(try browser.answer())
        #expect(answer.status == 400 && answer.headers["content-type"] == "application/problem+json")
        #expect(answer.body.contains("the request is not HTTP/1.1"), "\(answer.body)")
        #expect(try browser.answer() == nil)
      }
    }

    @Test func `name the page that is refused, and the remedy`() async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        let body = try site.answer("GET", "/", nil, ["Origin": "https://panel.example:8443"]).body
        #expect(
          body.contains("if https://panel.example:8443 is this panel, add that name with its port to hosts"))
      }
    }

    @Test func `bound heads and bodies`() async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        let long = String(repeating: "a", count: 9 << 10)
        #expect(try site.answer("POST", "/api/v1/holds", "{\"a\":\"\(long)\"}").status == 413)
        let browser = try site.browser()
        try browser.send(
          "POST /none HTTP/1.1\r\nHost: localhost:\(site.port)\r\nTransfer-Encoding: chunked\r\n\r\n")
        try browser.send("\(String(long.utf8.count, radix: 16))\r\n\(long)\r\n")
        #expect(try browser.answer()?.status == 413)
        #expect(try browser.answer() == nil)
        #expect(try site.answer("GET", "/", nil, ["X-Long": long + long]).status == 431)
        for (count, status) in [(99, 200), (100, 431)] {
          let fields = (0..<count).map { "X-\($0): a\r\n" }.joined()
          let browser = try site.browser()
          try browser.send("GET / HTTP/1.1\r\nHost: localhost:\(site.port)\r\n\(fields)\r\n")
          let answer = try browser.answer()
          #expect(answer?.status == status)
          #expect(status == 200 || answer?.body.contains("more than 100 fields") == true)
        }
        let twice = try site.browser()
        try twice.send("GET / HTTP/1.1\r\nHost: localhost:\(site.port)\r\nHost: evil\r\n\r\n")
        #expect(try twice.answer()?.status == 421)
        let deep = "{\"a\":[[[[[[[[]]]]]]]]}"
        #expect(try site.answer("POST", "/api/v1/holds", deep).status == 400)
      }
    }

    @Test func `have the body sent by who waits to be told`() async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        let path = "/api/v1/controls/volume/reset"
        let browser = try site.begin(
          "POST", path, nil, ["Expect": "100-Continue", "Content-Length": "2", "Connection": ""])
        #expect(try browser.text(upTo: "\r\n\r\n") == "HTTP/1.1 100 Continue")
        try browser.send("{}")
        #expect(try browser.answer()?.status == 200)
        // What cannot be taken is refused without the body, and without a body there is nothing to wait for.
        let long = try site.begin("POST", path, nil, ["Expect": "100-continue", "Content-Length": "9000"])
        #expect(try long.answer()?.status == 413)
        #expect(try site.answer("GET", "/", nil, ["Expect": "100-continue"]).status == 200)
      }
    }

    @Test func `bound languages, but none that is known`() async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { (site: Site) throws -> Void in
        try site.waitForDaemon()
        func status(_ language: String) throws -> Int {
          try site.answer("GET", "/api/v1/controls?language=\(language)").status
        }
        #expect(try status("de") == 200)
        let statuses = try (0..<100).map { try status("x-\($0)") }
        #expect(statuses.contains(429))
        #expect(statuses.count { $0 == 200 } < Describer.languageLimit)
        #expect(try status("de") == 200)
        #expect(try status("en") == 200)
        let streams = try (0..<10).map { try site.answer("HEAD", "/api/v1/events?language=y-\($0)").status }
        #expect(streams.contains(429))
      }
      #expect(peer.heard.count { $0.hasPrefix("Describe") } <= Describer.languageLimit)
    }

    @Test func `bound streams of an address`() async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        var streams: [Browser] = []
        for _ in 0..<ControlHub.addressLimit {
          let browser = try site.browser()
          try browser.send("GET /api/v1/events HTTP/1.1\r\nHost: localhost:\(site.port)\r\n\r\n")
          #expect(try browser.event()?.type == "stream")
          streams.append(browser)
        }
        let answer = try site.answer("GET", "/api/v1/events")
        #expect(answer.status == 503)
        #expect(answer.headers["retry-after"] != nil)
        #expect(answer.body.contains("org.stepperd.control.TooManySubscriptions"))
        #expect(streams.count == ControlHub.addressLimit)
      }
    }

    /// Settings for a proxy at the socket, with a token.
    private static func behindProxy() throws -> WebSettings {
      let folder = try PeerListener.newDirectory()
      try Site.write("operate o-token-of-sixteen\n", to: "\(folder)/tokens")
      var settings = WebSettings()
      settings.tokenFile = "\(folder)/tokens"
      settings.trustedProxies.areLocal = true
      return settings
    }

    private static let token = "Bearer o-token-of-sixteen"

    @Test func `bound streams of an address behind a proxy`() async throws {
      let peer = try daemon()
      let settings = try Self.behindProxy()
      try await Site.serve(settings, daemon: peer.path) { (site: Site) throws -> Void in
        func stream(_ client: String) throws -> Browser {
          try site.begin(
            "GET", "/api/v1/events", nil,
            ["X-Forwarded-For": client, "Connection": "", "Authorization": Self.token], overSocket: true)
        }
        var streams: [Browser] = []
        for _ in 0..<ControlHub.addressLimit {
          streams.append(try stream("192.0.2.7"))
          #expect(try streams.last?.event()?.type == "stream")
        }
        #expect(try stream("192.0.2.7").answer()?.status == 503)
        let other = try stream("192.0.2.8")
        #expect(try other.event()?.type == "stream")
        #expect(streams.count == ControlHub.addressLimit)
      }
    }

    @Test func `bound requests of an address behind a proxy`() async throws {
      let peer = try daemon()
      let settings = try Self.behindProxy()
      try await Site.serve(settings, daemon: peer.path) { (site: Site) throws -> Void in
        let open = try (0..<ConnectionTable.addressLimit).map { _ in
          try site.begin(
            "POST", "/api/v1/holds", nil,
            [
              "X-Forwarded-For": "192.0.2.7", "Content-Length": "100", "Connection": "",
              "Authorization": Self.token,
            ], overSocket: true)
        }
        func status(_ client: String) throws -> Int {
          try site.answer("GET", "/", nil, ["X-Forwarded-For": client], overSocket: true).status
        }
        // When all of them have been read.
        while try status("192.0.2.7") != 503 {}
        #expect(try status("192.0.2.8") == 200)
        #expect(open.count == ConnectionTable.addressLimit)
      }
    }

    @Test func `ask for tokens`() async throws {
      let peer = try daemon()
      let folder = try PeerListener.newDirectory()
      try Site.write("view v-token-of-sixteen\noperate o-token-of-sixteen\n", to: "\(folder)/tokens")
      var settings = WebSettings()
      settings.tokenFile = "\(folder)/tokens"
      try await Site.serve(settings, daemon: peer.path) { site in
        #expect(try site.answer("GET", "/").status == 200)
        #expect(try site.answer("GET", "/api/v1/settings").body.contains("\"token\":true"))
        #expect(try site.answer("GET", "/api/v1/controls").status == 401)
        let viewer = ["Authorization": "Bearer v-token-of-sixteen"]
        #expect(try site.answer("GET", "/api/v1/status", nil, viewer).status == 200)
        #expect(try site.answer("POST", "/api/v1/holds", "{}", viewer).status == 403)
        let answer = try site.answer("POST", "/api/v1/session", "{\"token\":\"o-token-of-sixteen\"}")
        let cookie = try #require(answer.headers["set-cookie"])
        #expect(
          cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && !cookie.contains("Secure"))
        // Cookies are of a host, whatever the port: it is in the name.
        let name = try #require(cookie.split(separator: "=").first)
        #expect(name.hasPrefix("stepper-"))
        let other = ["Cookie": "stepper=o-token-of-sixteen; stepper-1=o-token-of-sixteen"]
        #expect(try site.answer("POST", "/api/v1/holds", "{}", other).status == 401)
        let session = ["Cookie": "a=b; stepper-1=another-of-sixteen; \(name)=o-token-of-sixteen"]
        #expect(try site.answer("GET", "/api/v1/status", nil, session).status == 200)
        for index in 0..<5 {
          #expect(try site.answer("POST", "/api/v1/session", "{\"token\":\"wrong\(index)\"}").status == 401)
        }
        #expect(try site.answer("POST", "/api/v1/session", "{\"token\":\"wrong\"}").status == 429)
        #expect(
          try site.answer("POST", "/api/v1/session", "{\"token\":\"o-token-of-sixteen\"}").status == 200)
      }
    }

    @Test func `take no spelling of a path for another one`() async throws {
      let peer = try daemon()
      let folder = try PeerListener.newDirectory()
      try Site.write("view v-token-of-sixteen\n", to: "\(folder)/tokens")
      var settings = WebSettings()
      settings.tokenFile = "\(folder)/tokens"
      try await Site.serve(settings, at: "0.0.0.0", daemon: peer.path) { site in
        try site.waitForDaemon(token: "v-token-of-sixteen")
        for (method, path) in [
          ("GET", "/api/v1/controls"), ("GET", "/api/v1/events"), ("POST", "/api/v1/controls/volume/set"),
          ("POST", "/api/v1/holds"),
        ] {
          let raw = ["\u{1}\(path)", "/\u{7f}\(path)", "/\u{b}/..\(path)", "\(path)\u{c}", "\t\(path)"]
          for target in Spelling.all(of: path).map(\.target) + raw where !target.isEmpty {
            for overSocket in [false, true] {
              let host = ["Host": "127.0.0.1:\(site.port)"]
              // What is no request at all is not always answered.
              guard let answer = try? site.answer(method, target, "{}", host, overSocket: overSocket) else {
                continue
              }
              #expect([400, 401, 403, 404, 405, 429].contains(answer.status), "\(method) \(target)")
              #expect(!answer.body.contains("\"volume\""), "\(method) \(target)")
            }
          }
        }
      }
      #expect(!peer.heard.contains { $0.hasPrefix("Set") || $0.hasPrefix("Press") })
    }

    @Test func `count by the address that a proxy says`() async throws {
      let peer = try daemon()
      let folder = try PeerListener.newDirectory()
      try Site.write("view v-token-of-sixteen\n", to: "\(folder)/tokens")
      var settings = WebSettings()
      settings.tokenFile = "\(folder)/tokens"
      settings.trustedProxies.areLocal = true
      try await Site.serve(settings, daemon: peer.path) { (site: Site) throws -> Void in
        func status(_ token: String, from client: String, overSocket: Bool = true) throws -> Int {
          try site.answer(
            "GET", "/api/v1/status", nil, ["Authorization": "Bearer \(token)", "X-Forwarded-For": client],
            overSocket: overSocket
          ).status
        }
        for index in 0..<5 { #expect(try status("wrong\(index)", from: "1.1.1.1, 192.0.2.7") == 401) }
        #expect(try status("wrong", from: "192.0.2.7") == 429)
        #expect(try status("wrong", from: "192.0.2.8") == 401)
        #expect(try status("v-token-of-sixteen", from: "192.0.2.7") == 200)
        // It is not believed of others.
        for index in 0..<5 {
          #expect(try status("wrong\(index)", from: "192.0.2.\(index + 100)", overSocket: false) == 401)
        }
        #expect(try status("wrong", from: "192.0.2.200", overSocket: false) == 429)
      }
    }

    @Test func `let nobody change what is for looking`() async throws {
      let peer = try daemon()
      var settings = WebSettings()
      settings.isReadOnly = true
      try await Site.serve(settings, daemon: peer.path) { site in
        try site.waitForDaemon()
        #expect(try site.answer("POST", "/api/v1/controls/volume/reset", "{}").status == 403)
        #expect(try site.answer("GET", "/api/v1/controls/volume").status == 200)
      }
    }
  }
}

@Suite struct `The start` {
  @Test func `an open address without tokens is none`() async throws {
    var settings = WebSettings()
    settings.listen = [.internet(host: "0.0.0.0", port: 0)]
    #expect(WebProgram.problems(settings).count == 1)
  }

  /// What a proxy brings comes from other machines, wherever the program listens.
  @Test(arguments: [
    ("trusted-proxy = true", false), ("trusted-proxy = \"127.0.0.1\"", false),
    ("hosts = \"panel.example\"", false),
    ("hosts = \"192.0.2.1:8443\"", false), ("hosts = \"[2001:db8::1]\"", false),
    (
      "hosts = [\"localhost\", \"localhost:9000\", \"127.0.0.1:9000\", \"[::1]:9000\", \"a.localhost\"]", true
    ),
    ("trusted-proxy = false", true),
  ])
  func `a proxy or a name for others without tokens is none`(_ line: String, _ isStarted: Bool) async throws {
    let folder = try TemporaryFolder()
    let text = "listen = \"unix:\(folder.path)/panel\"\n\(line)\n"
    let settings = try #require(WebSettings.load(Array(text.utf8), file: "w.toml").settings)
    var options = WebOptions(settings, files: folder.path)
    options.address = "\(folder.path)/daemon"
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    for start in [
      { _ in if let problem = WebProgram.problems(settings).first { throw problem } },
      { try await WebProgram($0, logger: logger).stop() },
    ]
      as [(WebOptions) async throws -> Void]
    {
      do {
        try await start(options)
        #expect(isStarted)
      } catch let failure as WebStartFailure {
        #expect(!isStarted && failure.kind == .configuration)
        #expect(failure.description.contains("token-file"))
      }
    }
  }

  @Test func `a socket is for all whom its folder lets in, and a failure is said once`() async throws {
    let folder = try TemporaryFolder()
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    func start(_ path: String) async throws {
      var settings = WebSettings()
      settings.listen = [.unix(path)]
      let program = try await WebProgram(WebOptions(settings, files: folder.path), logger: logger)
      #expect(folder.permissions(of: "panel") == 0o666)
      await program.stop()
    }
    try await start("\(folder.path)/panel")
    do {
      try await start("\(folder.path)/none/panel")
      Issue.record("it listens in no folder")
    } catch let failure as WebStartFailure {
      #expect(failure.description == "cannot listen at \(folder.path)/none/panel: No such file or directory")
    }
  }
}

extension SiteTests {
  @Suite struct `The kiosk maker's pages` {
    @Test func `are served beneath their folder, with their own policy`() async throws {
      let peer = try daemon()
      var settings = WebSettings()
      let folder = try PeerListener.newDirectory()
      try Site.write("own", to: "\(folder)/index.html")
      try Site.write("hidden", to: "\(folder)/.hidden")
      try Site.write("hidden", to: "\(folder)/.\u{308}hidden")
      #expect(unsafe symlink("/etc/passwd", "\(folder)/out") == 0)
      #expect(unsafe symlink("index.html", "\(folder)/in.html") == 0)
      #expect(unsafe mkfifo("\(folder)/fifo", 0o600) == 0)
      settings.pages = folder
      settings.policy = "default-src 'self'"
      try await Site.serve(settings, daemon: peer.path) { site in
        let page = try site.answer("GET", "/pages/")
        #expect(page.body == "own")
        #expect(page.headers["content-security-policy"] == "default-src 'self'")
        let tag = try #require(page.headers["etag"])
        let known = try site.answer("GET", "/pages/index.html", nil, ["If-None-Match": tag])
        #expect(known.status == 304)
        #expect(known.headers["content-security-policy"] == "default-src 'self'")
        #expect(try site.answer("GET", "/pages").headers["location"] == "/pages/")
        #expect(unsafe mkdir("\(folder)/room", 0o755) == 0)
        #expect(try site.answer("GET", "/pages/room").status == 404)
        try Site.write("inner", to: "\(folder)/room/index.html")
        let place = try site.answer("GET", "/pages/room?look=gtk&a=%20")
        #expect(place.status == 303 && place.headers["location"] == "/pages/room/?look=gtk&a=%20")
        #expect(try site.answer("GET", "/pages/room/?look=gtk").body == "inner")
        // Files of others are served as they are.
        try Site.write("packed", to: "\(folder)/index.html.gz")
        let plain = try site.answer("GET", "/pages/", nil, ["Accept-Encoding": "gzip"])
        #expect(
          plain.body == "own" && plain.headers["content-encoding"] == nil && plain.headers["vary"] == nil)
        for path in ["in.html", "out", ".hidden", ".%CC%88hidden", "fifo", "none"] {
          #expect(try site.answer("GET", "/pages/\(path)").status == 404)
        }
        for path in ["../index.html", "%2e%2e/x", "a//b"] {
          #expect(try site.answer("GET", "/pages/\(path)").status == 400)
        }
        #expect(try site.answer("GET", "/").headers["content-security-policy"]?.contains("'none'") == true)
      }
    }
  }

  @Suite struct `The files of the panel` {
    @Test(
      arguments: [
        ("gzip", true), ("br, GZIP;q=0.5, *", true), ("deflate,gzip", true), ("gzip;q=1", true), ("", false),
        ("gzip;q=0", false), ("gzip; q=0.000", false), ("identity", false), ("*", false), ("gzipped", false),
        ("br;q=gzip", false), (String(repeating: "gzip;q=0,", count: 500), false),
      ])
    func `are sent as they were packed beforehand to who unpacks them`(_ accepted: String, _ isPacked: Bool)
      async throws
    {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        try Site.write("plain", to: "\(site.folder)/a.js")
        try Site.write("packed", to: "\(site.folder)/a.js.gz")
        let answer = try site.answer("GET", "/a.js", nil, ["Accept-Encoding": accepted])
        #expect(answer.body == (isPacked ? "packed" : "plain"))
        #expect(answer.headers["content-encoding"] == (isPacked ? "gzip" : nil))
        #expect(answer.headers["content-type"] == "text/javascript; charset=utf-8")
        #expect(answer.headers["vary"] == "Accept-Encoding")
      }
    }

    @Test func `have a tag for each form, and are kept for ever where the name says the content`()
      async throws
    {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { (site: Site) throws -> Void in
        #expect(unsafe mkdir("\(site.folder)/immutable", 0o755) == 0)
        for path in ["a.js", "immutable/b.js"] {
          try Site.write("plain", to: "\(site.folder)/\(path)")
          try Site.write("packed", to: "\(site.folder)/\(path).gz")
        }
        let gzip = ["Accept-Encoding": "gzip"]
        let plain = try #require(try site.answer("GET", "/a.js").headers["etag"])
        let packed = try #require(try site.answer("GET", "/a.js", nil, gzip).headers["etag"])
        #expect(plain != packed)
        let known = try site.answer("GET", "/a.js", nil, gzip.merging(["If-None-Match": packed]) { $1 })
        #expect(known.status == 304)
        #expect(known.headers["vary"] == "Accept-Encoding" && known.headers["content-encoding"] == nil)
        #expect(try site.answer("GET", "/a.js", nil, ["If-None-Match": packed]).status == 200)
        #expect(try site.answer("GET", "/a.js").headers["cache-control"] == "no-cache")
        let lasting = try site.answer("GET", "/immutable/b.js", nil, gzip)
        #expect(lasting.headers["cache-control"] == "public, max-age=31536000, immutable")
        #expect(lasting.headers["content-security-policy"]?.contains("default-src 'none'") == true)
        #expect(try site.answer("GET", "/immutable/none.js").headers["cache-control"] == "no-store")
        #expect(try site.answer("HEAD", "/immutable/b.js", nil, gzip).headers["content-length"] == "6")
      }
    }

    @Test func `lead out of their folder in no form`() async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { (site: Site) throws -> Void in
        #expect(unsafe symlink("/etc/hostname", "\(site.folder)/a.js.gz") == 0)
        try Site.write("plain", to: "\(site.folder)/a.js")
        try Site.write("hidden", to: "\(site.folder)/.b.gz")
        let gzip = ["Accept-Encoding": "gzip"]
        #expect(try site.answer("GET", "/a.js", nil, gzip).body == "plain")
        #expect(try site.answer("GET", "/.b", nil, gzip).status == 404)
        #expect(try site.answer("GET", "/immutable/../index.html", nil, gzip).status == 400)
        #expect(
          try site.answer("GET", "/a.js", nil, gzip.merging(["Host": "evil.example"]) { $1 }).status == 421)
      }
    }
  }
}
