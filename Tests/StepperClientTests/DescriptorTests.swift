import Foundation
import StepperClient
import StepperInterfaces
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `Descriptors` {
  @Test func `are closed with clients, subscriptions and failed attempts`() async {
    // In a process of its own, where no other test opens any.
    await #expect(processExitsWith: .success) {
      let listener = try PeerListener()
      let path = listener.path
      func round() async throws {
        let peer = Task {
          try await onThread {
            let call = try listener.accept()
            _ = try call.expect(ControlInterface.Get.self)
            try call.reply(ControlInterface.Get.self, .init(state: .example()))
            try call.expectClose()
            let changes = try listener.accept()
            _ = try changes.expect(ControlInterface.Subscribe.self)
            try changes.reply(
              ControlInterface.Subscribe.self, .snapshot([.example()], sequence: 1), continues: true)
            try changes.expectClose()
          }
        }
        let client = StepperClient(address: path)
        _ = try await client.get("volume")
        client.close()
        for try await _ in client.changes(of: "volume") { break }
        try await peer.value
        do {
          _ = try await StepperClient(address: "/nonexistent").get("volume")
          exit(2)
        } catch {}
      }
      try await round()
      let before = descriptorCount()
      for _ in 0..<30 { try await round() }
      // A thread closes its own a moment after its connection.
      let deadline = SuspendingClock.now.advanced(by: .seconds(10))
      while descriptorCount() > before, SuspendingClock.now < deadline { await Task.yield() }
      if descriptorCount() > before { exit(1) }
    }
  }
}
