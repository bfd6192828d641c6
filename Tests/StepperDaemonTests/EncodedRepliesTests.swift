import StepperCore
import StepperInterfaces
import Testing
import Varlink
@testable import StepperDaemon

@MainActor @Suite struct EncodedRepliesTests {
  private func key(_ coalesced: Int64 = 0) -> EncodedReplies.Key {
    .init(isSnapshot: false, controls: [ControlID(0, generation: 0)], coalesced: coalesced)
  }
  private func reply(_ sequence: Int64) -> ControlInterface.Subscribe.Reply {
    .init(snapshot: false, instance: "i", sequence: sequence, coalesced: 0, states: [])
  }

  @Test func `equal replies to one change are encoded once, and those to the next change again`() throws {
    var replies = EncodedReplies()
    var made = 0
    func take(_ key: EncodedReplies.Key, _ sequence: Int64) throws -> [UInt8] {
      try replies.parameters(for: key, at: .init(instance: "i", sequence: sequence)) {
        made += 1
        return reply(sequence)
      }.json
    }
    let first = try take(key(), 1)
    #expect(try take(key(), 1) == first && made == 1)
    _ = try take(key(5), 1)
    #expect(made == 2, "what was folded is another count for a slow reader")
    #expect(try take(key(), 2) != first && made == 3)
  }
}
