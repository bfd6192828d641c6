import StepperInterfaces
import TestSupport
import Testing
import Varlink

@testable import StepperClient

extension PeerTests {
  @Suite struct `Pressing, turning and sliding` {
    let daemon: AnsweringPeer

    init() throws {
      daemon = try AnsweringPeer { call in
        switch call.method {
        case ControlInterface.Press.name:
          let parameters = try call.parameters(of: ControlInterface.Press.self)
          guard parameters.hold != "one-more" else {
            return [VarlinkReply(VarlinkFailure(ControlInterface.TooManyHolds(limit: 64)))]
          }
          return try [.of(ControlInterface.Press.self, .init(state: .example(), held: true))]
        case ControlInterface.Renew.name:
          guard try call.parameters(of: ControlInterface.Renew.self).hold == "a" else {
            return [VarlinkReply(VarlinkFailure(ControlInterface.NoSuchHold(control: "volume", hold: "x")))]
          }
          return try [.of(ControlInterface.Renew.self, .init(state: .example(), held: true))]
        case ControlInterface.Release.name:
          return try [.of(ControlInterface.Release.self, .init(state: .example()))]
        case ControlInterface.Turn.name:
          return try [.of(ControlInterface.Turn.self, .init(state: .example()))]
        default: return try [.of(ControlInterface.Slide.self, .init(state: .example()))]
        }
      }
    }

    static let calls = [
      #"Press {"control":"volume","action":"pageIncrement","hold":"a","leaseMilliseconds":1500}"#,
      #"Press {"control":"volume","action":"push","hold":"b"}"#,
      #"Release {"control":"volume","hold":"a"}"#, #"Turn {"control":"volume","detents":-3}"#,
      #"Slide {"control":"volume","position":0.5,"hold":"f","leaseMilliseconds":1000}"#,
      #"Renew {"control":"volume","hold":"a","leaseMilliseconds":1500}"#,
      #"Renew {"control":"volume","hold":"x"}"#,
      #"Press {"control":"volume","action":"push","hold":"one-more"}"#,
    ]

    @Test func `blocks`() async throws {
      let client = StepperClient(address: daemon.path)
      let code = try await onThread {
        let reply = try client.press("volume", .pageIncrement, hold: "a", lease: .milliseconds(1_500))
        #expect(reply.held)
        try client.press("volume", .push, hold: "b")
        try client.release("volume", hold: "a")
        try client.turn("volume", by: -3)
        try client.slide("volume", to: 0.5, hold: "f", lease: .seconds(1))
        #expect(try client.renew("volume", hold: "a", lease: .milliseconds(1_500)).held)
        #expect(errorCode { try client.renew("volume", hold: "x") } == .noSuchHold)
        return errorCode { try client.press("volume", .push, hold: "one-more") }
      }
      #expect(code == .tooManyHolds && daemon.heard == Self.calls)
    }

    @Test func `suspends`() async throws {
      let client = StepperClient(address: daemon.path)
      #expect(
        try await client.press("volume", .pageIncrement, hold: "a", lease: .milliseconds(1_500)).held)
      try await client.press("volume", .push, hold: "b")
      try await client.release("volume", hold: "a")
      try await client.turn("volume", by: -3)
      try await client.slide("volume", to: 0.5, hold: "f", lease: .seconds(1))
      #expect(try await client.renew("volume", hold: "a", lease: .milliseconds(1_500)).held)
      #expect(daemon.heard == Self.calls.dropLast(2))
    }
  }
}
