import StepperInterfaces
import TestSupport
import Testing
import Varlink

@testable import StepperClient

extension PeerTests {
  @Suite struct `Adjusting and describing` {
    static let description = ControlInterface.Description(
      control: "volume", kind: .continuous, profile: "gtk", minimum: 0, maximum: 80, format: .init(),
      wrap: false,
      writable: true)
    static let adjusted = ControlInterface.Adjust.Reply(description: description, state: .example())
    static let described = ControlInterface.Describe.Reply(
      description: description, state: .example(),
      accessibility: .init(
        role: .slider, label: "Lautstärke", adjustable: true, announcement: .off, speech: "Lautstärke, 50"))

    let daemon: AnsweringPeer

    init() throws {
      daemon = try AnsweringPeer { call in
        switch call.method {
        case ControlInterface.Adjust.name:
          let parameters = try call.parameters(of: ControlInterface.Adjust.self)
          guard parameters.step == nil else {
            return [
              VarlinkReply(
                VarlinkFailure(ControlInterface.InvalidRange(control: "volume", step: parameters.step)))
            ]
          }
          return try [.of(ControlInterface.Adjust.self, Self.adjusted)]
        default: return try [.of(ControlInterface.Describe.self, Self.described)]
        }
      }
    }

    static let calls = [
      #"Adjust {"control":"volume","maximum":80}"#, #"Describe {"control":"volume","language":"de"}"#,
      #"Describe {"control":"volume"}"#,
    ]

    @Test func `blocks`() async throws {
      let client = StepperClient(address: daemon.path)
      let (adjusted, described, code) = try await onThread {
        let adjusted = try client.adjust("volume", maximum: 80)
        let described = [try client.describe("volume", language: "de"), try client.describe("volume")]
        return (adjusted, described, errorCode { _ = try client.adjust("volume", step: 0) })
      }
      #expect(adjusted == Self.adjusted)
      #expect(described == [Self.described, Self.described])
      #expect(code == .invalidRange)
      #expect(daemon.heard == Self.calls + [#"Adjust {"control":"volume","step":0}"#])
    }

    @Test func `suspends`() async throws {
      let client = StepperClient(address: daemon.path)
      #expect(try await client.adjust("volume", maximum: 80) == Self.adjusted)
      #expect(try await client.describe("volume", language: "de") == Self.described)
      #expect(try await client.describe("volume") == Self.described)
      let refused = await Task { try await client.adjust("volume", step: 0, page: 0) }.result
      #expect(throws: StepperClientError.self) { try refused.get() }
      #expect(daemon.heard.prefix(3) == Self.calls[...])
    }
  }
}
