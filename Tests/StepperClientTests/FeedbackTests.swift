import StepperInterfaces
import TestSupport
import Testing
import Varlink

@testable import StepperClient

extension PeerTests {
  @Suite struct `Effects and lights` {
    typealias Play = DeviceInterface.PlayEffect

    let daemon: AnsweringPeer

    init() throws {
      daemon = try AnsweringPeer { call in
        guard call.method == Play.name else { return [VarlinkReply()] }
        let parameters = try call.parameters(of: Play.self)
        guard parameters.device == "knob" else {
          return [VarlinkReply(VarlinkFailure(DeviceInterface.NoSuchDevice(device: parameters.device)))]
        }
        if parameters.output == "rumbl" {
          let error = DeviceInterface.NoSuchOutput(
            device: "knob", output: "rumbl", outputs: ["rumble", "LED_MUTE"])
          return [VarlinkReply(VarlinkFailure(error))]
        }
        let isBusy = parameters.effect == .error
        return try [.of(Play.self, .init(played: isBusy ? nil : parameters.output ?? "click"))]
      }
    }

    static let calls = [
      #"PlayEffect {"device":"knob","effect":"light"}"#,
      #"PlayEffect {"device":"knob","effect":"success","output":"rumble"}"#,
      #"PlayEffect {"device":"knob","effect":"error"}"#,
      #"SetLight {"device":"knob","light":"LED_MUTE","brightness":0.5}"#,
    ]

    @Test func `block`() async throws {
      let client = StepperClient(address: daemon.path)
      let played = try await onThread {
        let played = [
          try client.playEffect(.light, on: "knob"),
          try client.playEffect(.success, on: "knob", output: "rumble"),
          try client.playEffect(.error, on: "knob"),
        ]
        try client.setLight("LED_MUTE", of: "knob", to: 0.5)
        return played
      }
      #expect(played == ["click", "rumble", nil])
      #expect(daemon.heard == Self.calls)
    }

    @Test func `suspend`() async throws {
      let client = StepperClient(address: daemon.path)
      #expect(try await client.playEffect(.light, on: "knob") == "click")
      #expect(try await client.playEffect(.success, on: "knob", output: "rumble") == "rumble")
      #expect(try await client.playEffect(.error, on: "knob") == nil)
      try await client.setLight("LED_MUTE", of: "knob", to: 0.5)
      #expect(daemon.heard == Self.calls)
    }

    @Test func `are refused in words`() async throws {
      let client = StepperClient(address: daemon.path)
      do {
        try await client.playEffect(.light, on: "knob", output: "rumbl")
        Issue.record("no error")
      } catch {
        #expect(error.code == .noSuchOutput)
        #expect(error.message == "knob has no output 'rumbl'; it has rumble, LED_MUTE")
      }
      let codes = try await onThread {
        [
          errorCode { try client.playEffect(.light, on: "nob") },
          errorCode { try client.setLight("LED_MUTE", of: "knob", to: .nan) },
        ]
      }
      #expect(codes == [.noSuchDevice, .invalidParameter])
    }

    @Test func `lights are held by one connection, until it is closed`() async throws {
      let listener = try PeerListener()
      let peer = listener.peer { listener in
        for light in ["LED_MUTE", "pulse-led"] {
          let connection = try listener.accept()
          for brightness in [0.25, 1] {
            let parameters = try connection.expect(DeviceInterface.SetLight.self)
            #expect(parameters == .init(device: "knob", light: light, brightness: brightness))
            try connection.reply(DeviceInterface.SetLight.self, .init())
          }
          try connection.expectClose()
        }
      }
      let client = StepperClient(address: listener.path)
      for light in ["LED_MUTE", "pulse-led"] {
        try await client.setLight(light, of: "knob", to: 0.25)
        try await client.setLight(light, of: "knob", to: 1)
        client.close()
      }
      try await peer.value
    }
  }
}
