import Glibc
import StepperConfiguration
import TestPeer
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
        ("GET", "/../index.html", [:], 404), ("GET", "/%2e%2e/index.html", [:], 404),
        ("GET", "/.hidden", [:], 404), ("GET", "/%00", [:], 404), ("GET", "/%zz", [:], 404),
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
      try Site.write("view v-token\noperate o-token\n", to: "\(folder)/tokens")
      var settings = WebSettings()
      settings.tokenFile = "\(folder)/tokens"
      try await Site.serve(settings, daemon: peer.path) { site in
        #expect(try site.answer("GET", "/").status == 200)
        #expect(try site.answer("GET", "/api/v1/settings").body.contains("\"token\":true"))
        #expect(try site.answer("GET", "/api/v1/controls").status == 401)
        let viewer = ["Authorization": "Bearer v-token"]
        #expect(try site.answer("GET", "/api/v1/status", nil, viewer).status == 200)
        #expect(try site.answer("POST", "/api/v1/holds", "{}", viewer).status == 403)
        let answer = try site.answer("POST", "/api/v1/session", "{\"token\":\"o-token\"}")
        let cookie = try #require(answer.headers["set-cookie"])
        #expect(
          cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && !cookie.contains("Secure"))
        let session = ["Cookie": "a=b; stepper=o-token"]
        #expect(try site.answer("GET", "/api/v1/status", nil, session).status == 200)
        for index in 0..<5 {
          #expect(try site.answer("POST", "/api/v1/session", "{\"token\":\"wrong\(index)\"}").status == 401)
        }
        #expect(try site.answer("POST", "/api/v1/session", "{\"token\":\"o-token\"}").status == 429)
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
        for path in ["in.html", "out", ".hidden", "fifo", "../index.html", "%2e%2e/x", "a//b", "none"] {
          #expect(try site.answer("GET", "/pages/\(path)").status == 404)
        }
        #expect(try site.answer("GET", "/").headers["content-security-policy"]?.contains("'none'") == true)
      }
    }
  }
}
