import StepperInterfaces
import TestSupport
import Testing
import Varlink

@testable import StepperWeb

extension SiteTests {
  @Suite("Holds of pages") struct HoldTests {
    private static let press = "{\"hold\":\"h\",\"control\":\"volume\",\"action\":\"increment\"}"

    private static func gestures(_ peer: AnsweringPeer) -> [String] {
      peer.heard.compactMap { call in
        let name = String(call.prefix { $0 != " " })
        return ["Press", "Renew", "Release", "Slide", "Step", "Turn", "Set"].contains(name) ? name : nil
      }
    }

    @Test func `press, renew and release in the daemon`() async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        let answer = try site.answer("POST", "/api/v1/holds", Self.press)
        #expect(answer.status == 201)
        #expect(answer.body.hasSuffix("\"held\":true,\"lease\":1000,\"mode\":\"engine\"}"))
        let renewal = try site.answer("POST", "/api/v1/holds/renew", "{\"holds\":[\"h\",\"other\"]}")
        #expect(renewal.body == "{\"alive\":[\"h\"]}")
        #expect(try site.answer("POST", "/api/v1/holds/h/release", "{}").body.contains("\"state\":"))
        #expect(try site.answer("POST", "/api/v1/holds/h/release", "{}").body == "{}")
      }
      #expect(Self.gestures(peer) == ["Press", "Renew", "Release"])
      #expect(peer.heard.contains { $0.hasPrefix("Press") && $0.contains("\"leaseMilliseconds\":1000") })
    }

    @Test(arguments: [[], [ControlInterface.Renew.name]])
    func `are never pressed by a renewal that a release has passed`(_ missing: Set<String>) async throws {
      let peer = try daemon(missing: missing)
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        for round in 0..<20 {
          let press = "{\"hold\":\"h\(round)\",\"control\":\"volume\",\"action\":\"increment\"}"
          #expect(try site.answer("POST", "/api/v1/holds", press).status == 201)
          // Both at once, on two connections; either may come first.
          let renewal = try site.begin("POST", "/api/v1/holds/renew", "{\"holds\":[\"h\(round)\"]}")
          let release = try site.begin("POST", "/api/v1/holds/h\(round)/release", "{}")
          #expect(try renewal.answer()?.status == 200)
          #expect(try release.answer()?.status == 200)
        }
      }
      var released: Set<Substring> = []
      for call in peer.heard {
        guard
          let hold = call.firstRange(of: "\"hold\":\"").map({ call[$0.upperBound...].prefix { $0 != "\"" } })
        else { continue }
        if call.hasPrefix("Release") { released.insert(hold) }
        #expect(!call.hasPrefix("Press") || !released.contains(hold), "\(call) after its release")
      }
      #expect(released.count == 20)
      let presses = Self.gestures(peer).count { $0 == "Press" }
      #expect(missing.isEmpty ? presses == 20 : presses >= 20)
    }

    @Test func `are renewed once by a name that comes many times`() async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        #expect(try site.answer("POST", "/api/v1/holds", Self.press).status == 201)
        let names = Array(repeating: "\"h\"", count: HoldTable.limit).joined(separator: ",")
        let renewal = try site.answer("POST", "/api/v1/holds/renew", "{\"holds\":[\(names)]}")
        #expect(renewal.body == "{\"alive\":[\"h\"]}")
      }
      #expect(Self.gestures(peer) == ["Press", "Renew"])
    }

    @Test func `are renewed by a press that comes again`() async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        #expect(try site.answer("POST", "/api/v1/holds", Self.press).status == 201)
        #expect(try site.answer("POST", "/api/v1/holds", Self.press).body.contains("\"held\":true"))
      }
      #expect(Self.gestures(peer) == ["Press", "Renew"])
    }

    @Test func `are ten where they name no stream`() async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        let statuses = try (0...10).map { number in
          let press = "{\"hold\":\"h\(number)\",\"control\":\"volume\",\"action\":\"increment\"}"
          return try site.answer("POST", "/api/v1/holds", press).status
        }
        #expect(statuses == [Int](repeating: 201, count: 10) + [429])
      }
    }

    @Test func `are of a document that says its name`() async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { (site: Site) throws -> Void in
        try site.waitForDaemon()
        func press(_ number: Int, _ document: String) throws -> Int {
          let body =
            "{\"hold\":\"h\(number)\",\"control\":\"volume\",\"action\":\"increment\",\"document\":\"\(document)\"}"
          return try site.answer("POST", "/api/v1/holds", body).status
        }
        #expect(try press(10, "one") == 201)
        #expect(try press(11, "two") == 201)
        #expect(try press(12, "no name") == 400)
        #expect(try press(13, String(repeating: "a", count: 65)) == 400)
      }
    }

    @Test func `are taps when the release came first`() async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        #expect(try site.answer("POST", "/api/v1/holds/h/release", "{}").status == 200)
        #expect(try site.answer("POST", "/api/v1/holds", Self.press).body.contains("\"held\":false"))
      }
      #expect(Self.gestures(peer) == ["Press", "Release"])
    }

    @Test func `are released where it is unknown whether a tap was pressed`() async throws {
      let peer = try daemon(failing: [ControlInterface.Press.name])
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        #expect(try site.answer("POST", "/api/v1/holds/h/release", "{}").status == 200)
        #expect(try site.answer("POST", "/api/v1/holds", Self.press).status == 400)
      }
      #expect(Self.gestures(peer) == ["Press", "Release"])
    }

    @Test func `end with the stream of their page`() async throws {
      let released = TestSupport.Signal()
      let peer = try daemon(noting: released)
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        let browser = try site.browser()
        try browser.send("GET /api/v1/events HTTP/1.1\r\nHost: localhost:\(site.port)\r\n\r\n")
        let stream = try #require(try browser.event()).data
        let id = stream.dropFirst("{\"id\":\"".count).dropLast("\"}".count)
        let press = "{\"hold\":\"i\",\"control\":\"volume\",\"action\":\"push\",\"stream\":\"\(id)\"}"
        #expect(try site.answer("POST", "/api/v1/holds", press).status == 201)
        browser.hangUp()
        try released.wait()
      }
    }

    @Test func `are one step where the daemon is older`() async throws {
      let names = [ControlInterface.Press.name, ControlInterface.Slide.name, ControlInterface.Turn.name]
      let peer = try daemon(missing: Set(names))
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        #expect(try site.answer("POST", "/api/v1/holds", Self.press).body.contains("\"mode\":\"step\""))
        let slide = "{\"hold\":\"s\",\"control\":\"volume\",\"position\":0.5}"
        #expect(try site.answer("POST", "/api/v1/holds", slide).body.contains("\"mode\":\"set\""))
        #expect(try site.answer("POST", "/api/v1/holds/s/move", "{\"position\":1}").status == 200)
        let turn = try site.answer("POST", "/api/v1/controls/volume/turn", "{\"detents\":2}")
        #expect(turn.body.contains("\"mode\":\"step\""))
      }
      #expect(Self.gestures(peer) == ["Press", "Step", "Slide", "Set", "Set", "Turn", "Step"])
    }

    @Test(arguments: [
      "{\"hold\":\"a b\",\"control\":\"volume\",\"action\":\"increment\"}",
      "{\"hold\":\"\",\"control\":\"volume\",\"action\":\"increment\"}",
      "{\"hold\":\"a\",\"control\":\"volume\"}",
      "{\"hold\":\"a\",\"control\":\"volume\",\"action\":\"increment\",\"position\":1}",
      "{\"hold\":\"a\",\"control\":\"volume\",\"position\":1.5}",
      "{\"hold\":\"a\",\"control\":\"volume\",\"position\":1e999}", "[]", "",
      "{\"hold\":\"a\",\"hold\":\"b\"}",
    ])
    func `are refused`(_ body: String) async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        #expect(try site.answer("POST", "/api/v1/holds", body).status == 400)
      }
      #expect(Self.gestures(peer).isEmpty)
    }
  }
}
