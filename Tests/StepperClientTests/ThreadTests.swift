import Foundation
import StepperClient
import StepperInterfaces
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `Threads` {
  @Test func `are one for each client, however much it does, and end with it`() async {
    // In a process of its own, where no other test starts any.
    await #expect(processExitsWith: .success) {
      func threads() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
      }
      func wait(until condition: () throws -> Bool) async throws -> Bool {
        let deadline = SuspendingClock.now.advanced(by: .seconds(10))
        while try !condition(), SuspendingClock.now < deadline { await Task.yield() }
        return try condition()
      }
      let listener = try PeerListener()
      let (subscriptions, calls) = (40, 100)
      let connected = Signal()
      let arrived = Signal()
      let peer = PeerThread {
        let first = try listener.accept()
        _ = try first.nextCall()
        connected.give()
        let others = try (1...subscriptions).map { _ in try listener.accept() }
        for connection in others { _ = try connection.nextCall() }
        for _ in 1..<calls { _ = try first.nextCall() }
        arrived.give()
        for connection in others + [first] { while try connection.nextCall() != nil {} }
      }
      // As many threads as the concurrency runtime may start are here before they are counted.
      let processors = ProcessInfo.processInfo.activeProcessorCount
      let before = try threads() + processors
      do {
        let client = StepperClient(address: listener.path, timeout: .seconds(60))
        var tasks = [Task { _ = try await client.get("volume") }]
        try await onThread { try connected.wait() }
        tasks += (1...subscriptions).map { _ in
          Task { for try await _ in client.changes(of: "volume") {} }
        }
        tasks += (1..<calls).map { _ in Task { _ = try await client.get("volume") } }
        try await onThread { try arrived.wait() }
        // One for the client, and one that waits for the signal.
        if try threads() > before + 2 { exit(1) }
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        client.close()
        try await peer.value
      }
      do {
        let clients = (1...50).map { _ in StepperClient(address: "/nonexistent") }
        for client in clients where (try? await client.get("volume")) != nil { exit(2) }
        if try threads() < 50 { exit(3) }
      }
      let haveEnded = try await wait { try threads() <= before }
      if !haveEnded { exit(4) }
    }
  }
}
