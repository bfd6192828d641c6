import Glibc
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
        let twice = try site.browser()
        try twice.send("GET / HTTP/1.1\r\nHost: localhost:\(site.port)\r\nHost: evil\r\n\r\n")
        #expect(try twice.answer()?.status == 421)
        let deep = "{\"a\":[[[[[[[[]]]]]]]]}"
        #expect(try site.answer("POST", "/api/v1/holds", deep).status == 400)
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
        let session = ["Cookie": "a=b; stepper=o-token-of-sixteen"]
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
    #expect(throws: WebStartFailure.self) { try WebProgram.check(settings) }
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
        #expect(try site.answer("GET", "/pages/index.html", nil, ["If-None-Match": tag]).status == 304)
        #expect(try site.answer("GET", "/pages").headers["location"] == "/pages/")
        for path in ["in.html", "out", ".hidden", "fifo", "none"] {
          #expect(try site.answer("GET", "/pages/\(path)").status == 404)
        }
        for path in ["../index.html", "%2e%2e/x", "a//b"] {
          #expect(try site.answer("GET", "/pages/\(path)").status == 400)
        }
        #expect(try site.answer("GET", "/").headers["content-security-policy"]?.contains("'none'") == true)
      }
    }
  }
}
