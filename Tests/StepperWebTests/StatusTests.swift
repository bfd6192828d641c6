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
  }
}
