import StepperInterfaces
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import StepperWeb

extension SiteTests {
  @Suite("A daemon that hangs while no page is open") struct StatusTests {
    /// Whether a peer answers nothing but subscriptions.
    private final class Hang: Sendable {
      let isOn = Mutex(false)
      let end = TestSupport.Signal()
    }

    private static func peer(_ hang: Hang) throws -> AnsweringPeer {
      try AnsweringPeer { call in
        if call.method == ControlInterface.Subscribe.name {
          var reply = ControlInterface.Subscribe.Reply.snapshot([.example()], sequence: 1)
          reply.descriptions = [.example()]
          return [try .of(ControlInterface.Subscribe.self, reply, continues: true)]
        }
        if hang.isOn.withLock(\.self) { try hang.end.wait() }
        return [VarlinkReply(VarlinkFailure(ServiceInterface.MethodNotFound(method: call.method)))]
      }
    }

    @Test(arguments: ["status", "controls", "controls/volume"])
    func `is not reported as reachable, and its values are not given`(_ path: String) async throws {
      let hang = Hang()
      let peer = try Self.peer(hang)
      try await Site.serve(daemon: peer.path) { site in
        func isReachable() throws -> Bool {
          let answer = try site.answer("GET", "/api/v1/\(path)")
          return path == "status" ? answer.body.contains("\"daemonReachable\":true") : answer.status == 200
        }
        try eventually { try isReachable() }
        hang.isOn.withLock { $0 = true }
        try eventually { try !isReachable() }
        #expect(try site.answer("GET", "/api/v1/\(path)").body.contains("it does not answer"))
        hang.isOn.withLock { $0 = false }
        for _ in 0..<100 { hang.end.give() }
        try eventually { try isReachable() }
      }
    }

    @Test func `is sent no change`() async throws {
      let hang = Hang()
      let peer = try Self.peer(hang)
      try await Site.serve(daemon: peer.path) { site in
        func step() throws -> Browser.Answer {
          try site.answer("POST", "/api/v1/controls/volume/step", "{\"steps\":1}")
        }
        try eventually { try site.answer("GET", "/api/v1/controls/volume").status == 200 }
        hang.isOn.withLock { $0 = true }
        try eventually { try site.answer("GET", "/api/v1/controls/volume").status == 503 }
        let answer = try step()
        #expect(answer.status == 503 && answer.headers["retry-after"] == "1")
        hang.isOn.withLock { $0 = false }
        for _ in 0..<100 { hang.end.give() }
        try eventually { try step().status == 501 }
      }
      #expect(peer.heard.count { $0.hasPrefix("Step") } == 1)
    }
  }

  @Suite("A change that the daemon does not answer") struct UnansweredTests {
    @Test(
      arguments: [
        ("controls/volume/step", "{\"steps\":1}", ControlInterface.Step.name),
        ("controls/volume/set", "{\"value\":1}", ControlInterface.Set.name),
        (
          "holds", "{\"hold\":\"a\",\"control\":\"volume\",\"action\":\"increment\"}",
          ControlInterface.Press.name
        ),
      ])
    func `is not asked for again without looking`(_ path: String, _ body: String, _ method: String)
      async throws
    {
      let peer = try daemon(closing: [method])
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        let answer = try site.answer("POST", "/api/v1/\(path)", body)
        #expect(answer.status == 504 && answer.headers["retry-after"] == nil)
        #expect(answer.body.contains("it is unknown whether it was done: ask for the state"))
      }
    }
  }

  @Suite("Without a daemon") struct AbsenceTests {
    @Test(arguments: ["status", "controls", "controls/volume"])
    func `the reason is one line`(_ path: String) async throws {
      let socket = "\(try PeerListener.newDirectory())/none"
      try await Site.serve(daemon: socket) { site in
        let reason = "not connected to stepperd: \(socket): No such file or directory; start it with "
        try eventually { try site.answer("GET", "/api/v1/\(path)").body.contains(reason) }
        #expect(try !site.answer("GET", "/api/v1/\(path)").body.contains("\\n"))
      }
    }
  }

  @Suite("A parameter that does not fit") struct ParameterTests {
    @Test(
      arguments: [
        ("events?moments=no", "moments", "moments is 1 or true, or 0 or false"),
        ("events?interval=soon", "interval", "interval is a number of milliseconds"),
        ("controls?settings=", "settings", "settings is 1 or true, or 0 or false"),
        (
          "controls?match=" + (0..<64).map { "another*b\($0)" }.joined(separator: ","), "match",
          "256 bytes of patterns with * or ? together"
        ), ("events?match=" + String(repeating: "*a", count: 256) + "b", "match", "255 bytes each"),
      ])
    func `is refused with the reason`(_ query: String, _ name: String, _ reason: String) async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        let answer = try site.answer("GET", "/api/v1/\(query)")
        #expect(answer.status == 400)
        #expect(answer.body.contains("\"parameters\":{\"parameter\":\"\(name)\"}"), "\(answer.body)")
        #expect(answer.body.contains(reason), "\(answer.body)")
      }
    }
  }

  @Suite("A value that is not given, or twice") struct ValueTests {
    @Test(arguments: ["{}", "{\"value\":null}", "{\"value\":3,\"text\":\"3\"}"])
    func `is refused in words`(_ body: String) async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        let answer = try site.answer("POST", "/api/v1/controls/volume/set", body)
        #expect(answer.status == 400 && answer.body.contains("give either a value or a text"))
      }
      #expect(!peer.heard.contains { $0.hasPrefix("Set") })
    }
  }

  @Suite("A value for one of several states") struct ConditionTests {
    @Test(
      arguments: [
        ("\"one:1\"", 1), ("\"x\", \"one:7\",\"one:1\"", 1), ("\"two:1\", \"one:7\"", 7),
        ("\"two:1\", x", nil),
      ] as [(String, Int?)])
    func `is set where the present one is among them`(_ tags: String, _ sequence: Int?) async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        let answer = try site.answer(
          "POST", "/api/v1/controls/volume/set", "{\"value\":3}", ["If-Match": tags])
        #expect(answer.status == (sequence == nil ? 412 : 200))
      }
      let wanted = sequence.map { "\"ifSequence\":\($0)" }
      #expect(
        peer.heard.filter { $0.hasPrefix("Set ") }.map { $0.contains(wanted ?? "") }
          == (wanted.map { _ in [true] } ?? []))
    }
  }

  @Suite("A condition for what has none") struct NoConditionTests {
    @Test(
      arguments: [
        ("controls/volume/step", "{\"steps\":1}"), ("controls/volume/turn", "{\"detents\":1}"),
        ("controls/volume/reset", "{}"),
        ("holds", "{\"hold\":\"a\",\"control\":\"volume\",\"action\":\"increment\"}"),
      ])
    func `is refused`(_ path: String, _ body: String) async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        let answer = try site.answer("POST", "/api/v1/\(path)", body, ["If-Match": "\"one:1\""])
        #expect(answer.status == 400 && answer.body.contains("If-Match is for set only"))
      }
      #expect(peer.heard.allSatisfy { $0.hasPrefix("Subscribe") || $0.hasPrefix("GetInfo") })
    }
  }

  @Suite("The list of controls") struct ListTests {
    @Test(arguments: ["controls", "controls/volume"])
    func `has a tag for each way in which it is shown`(_ path: String) async throws {
      let peer = try daemon()
      var readOnly = WebSettings()
      readOnly.isReadOnly = true
      @Sendable func tag(_ settings: WebSettings, unless tags: [String]) async throws -> String {
        try await Site.serve(settings, daemon: peer.path) { site in
          try site.waitForDaemon()
          func answer(_ tag: String) throws -> Browser.Answer {
            try site.answer("GET", "/api/v1/\(path)", nil, ["If-None-Match": tag])
          }
          let tag = try #require(try answer(tags.joined(separator: ", ")).headers["etag"])
          #expect(!tags.contains(tag))
          #expect(try answer(tag).status == 304)
          // The daemon does not describe controls in other languages: what is said of them is missing.
          let other = try site.answer("GET", "/api/v1/\(path)?language=de")
          #expect(other.status == 200 && other.headers["etag"] == nil)
          return tag
        }
      }
      let usual = try await tag(WebSettings(), unless: [])
      _ = try await tag(readOnly, unless: [usual])
    }

    @Test func `is compared with a tag of any way in which it is shown`() async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        let answer = try site.answer(
          "POST", "/api/v1/controls/volume/set", "{\"value\":3}", ["If-Match": "\"one:1-0123456789abcdef\""])
        #expect(answer.status == 200)
      }
      #expect(peer.heard.contains { $0.hasPrefix("Set ") && $0.contains("\"ifSequence\":1") })
    }

    @Test func `has the settings where they are wanted`() async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        for (query, isWanted) in [("?settings=1", true), ("?settings=0", false), ("", false)] {
          let body = try site.answer("GET", "/api/v1/controls\(query)").body
          #expect(body.contains("\"settings\":") == isWanted, "\(query)")
        }
      }
    }

    @Test func `has the choices for which there was no room in the daemon's reply`() async throws {
      @Sendable func choice(_ control: String, of choices: [String]?) -> ControlInterface.Description {
        var description = ControlInterface.Description.example(control)
        (description.kind, description.choices) = (.choice, choices)
        return description
      }
      let peer = try AnsweringPeer { call in
        switch call.method {
        case ControlInterface.Subscribe.name:
          let states = ["input", "room", "gone"].map { ControlInterface.State.example($0) }
          var reply = ControlInterface.Subscribe.Reply.snapshot(states, sequence: 1)
          reply.descriptions = [
            choice("input", of: ["radio"]), choice("gone", of: nil), choice("room", of: nil),
          ]
          return [try .of(ControlInterface.Subscribe.self, reply, continues: true)]
        case ControlInterface.List.name:
          let isRoom = String(decoding: call.parameters.json, as: UTF8.self).contains("room")
          let whole = ControlInterface.Control(
            description: choice("room", of: ["kitchen"]), state: .example("room"))
          return [
            try .of(
              ControlInterface.List.self, .init(instance: "one", sequence: 1, controls: isRoom ? [whole] : [])
            )
          ]
        default: return [VarlinkReply(VarlinkFailure(ServiceInterface.MethodNotFound(method: call.method)))]
        }
      }
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        #expect(try site.answer("GET", "/api/v1/controls/room").body.contains("\"choices\":[\"kitchen\"]"))
        #expect(try site.answer("GET", "/api/v1/controls/gone").status == 200)
      }
      #expect(peer.heard.count { $0.hasPrefix("List") } == 2)
    }
  }

  @Suite("A body that does not fit") struct BodyTests {
    @Test(
      arguments: [
        ("controls/volume/set", "{\"valeu\":3}", "valeu", "unknown field"),
        ("controls/volume/set", "{\"value\":3,\"clmap\":true}", "clmap", "unknown field"),
        ("controls/volume/set", "{\"value\":\"3\"}", "value", "not a number that a double holds"),
        ("controls/volume/step", "{\"steps\":1,\"unit\":\"pages\"}", "unit", "not one of its words"),
        ("controls/volume/step", "{\"step\":1}", "steps", "missing"),
        ("controls/volume/reset", "{\"now\":true}", "now", "unknown field"),
        ("holds/renew", "{\"holds\":[1]}", "holds", "not a string"),
      ])
    func `is refused with the member and the reason`(
      _ path: String, _ body: String, _ member: String, _ reason: String
    ) async throws {
      let peer = try daemon()
      try await Site.serve(daemon: peer.path) { site in
        try site.waitForDaemon()
        let answer = try site.answer("POST", "/api/v1/\(path)", body)
        #expect(answer.status == 400)
        #expect(answer.body.contains("\"parameters\":{\"parameter\":\"\(member)\"}"), "\(answer.body)")
        #expect(answer.body.contains(": '\(member)': \(reason)"), "\(answer.body)")
      }
      #expect(!peer.heard.contains { $0.hasPrefix("Set") || $0.hasPrefix("Step") || $0.hasPrefix("Reset") })
    }
  }
}
