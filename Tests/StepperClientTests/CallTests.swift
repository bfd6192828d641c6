import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

@testable import StepperClient

extension PeerTests {
  @Suite struct `Blocking calls` {
    let listener: PeerListener
    let client: StepperClient

    init() throws {
      listener = try PeerListener()
      client = StepperClient(address: listener.path)
    }

    /// Runs `peer` against `body`, each on a thread of its own.
    func run<Value: Sendable>(
      _ peer: @escaping @Sendable (PeerListener) throws -> Void,
      against body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
      let listener = listener
      let running = PeerThread<Void> { try peer(listener) }
      let result = await Task { try await onThread(body) }.result
      try await running.value
      return try result.get()
    }

    @Test func `share one connection`() async throws {
      let client = client
      let states = try await run { listener in
        let connection = try listener.accept()
        for sequence in 1...2 {
          #expect(try connection.expect(ControlInterface.Get.self).control == "volume")
          try connection.reply(ControlInterface.Get.self, .init(state: .example(sequence: Int64(sequence))))
        }
      } against: {
        [try client.get("volume"), try client.get("volume")]
      }
      #expect(states.map(\.sequence) == [1, 2])
    }

    @Test func `connect again when the daemon hung up in between`() async throws {
      let client = client
      let (closed, hungUp) = AsyncStream.makeStream(of: Void.self)
      let peer = PeerThread<Void> { [listener] in
        for sequence in 1...2 {
          let connection = try listener.accept()
          _ = try connection.expect(ControlInterface.Get.self)
          try connection.reply(ControlInterface.Get.self, .init(state: .example(sequence: Int64(sequence))))
          connection.close()
          hungUp.yield()
        }
      }
      #expect(try await client.get("volume").sequence == 1)
      for await _ in closed { break }
      #expect(try await client.get("volume").sequence == 2)
      try await peer.value
    }

    @Test func `keep to the daemon that they were connected to`() async throws {
      let other = try AnsweringPeer { _ in
        [try .of(ControlInterface.Get.self, .init(state: .example(sequence: 99)))]
      }
      let listener = listener
      let client = StepperClient(addresses: [StepperAddress(listener.path), StepperAddress(other.path)])
      let first = listener.peer { listener in
        let connection = try listener.accept()
        _ = try connection.expect(ControlInterface.Get.self)
        try connection.reply(ControlInterface.Get.self, .init(state: .example(sequence: 1)))
        listener.shutDown()
        connection.close()
      }
      #expect(try await client.get("volume").sequence == 1)
      try await first.value
      // Also a subscription does.
      let error = await #expect(throws: StepperClientError.self) {
        for try await _ in client.changes(of: "volume") { break }
      }
      #expect(error?.code == .cannotConnect)
      await #expect(throws: StepperClientError.self) { try await client.get("volume") }
      unsafe unlink(listener.path)
      let again = try PeerListener(at: listener.path)
      let second = again.peer { listener in
        let connection = try listener.accept()
        _ = try connection.expect(ControlInterface.Get.self)
        try connection.reply(ControlInterface.Get.self, .init(state: .example(sequence: 2)))
      }
      #expect(try await client.get("volume").sequence == 2)
      try await second.value
      #expect(other.heard == [])
    }

    @Test func `put replies together that come byte by byte`() async throws {
      let client = client
      let state = try await run { listener in
        let connection = try listener.accept()
        _ = try connection.expect(ControlInterface.Get.self)
        let reply = ControlInterface.Get.Reply(state: .example())
        let bytes = VarlinkReply(parameters: try VarlinkParameters(encoding: reply)).encoded()
        for byte in bytes { try connection.send([byte]) }
      } against: {
        try client.get("volume")
      }
      #expect(state == .example())
    }

    @Test func `give up in time, and close a connection without answers after that`() async throws {
      let client = StepperClient(address: listener.path, timeout: .milliseconds(50))
      let start = SuspendingClock.now
      let code = try await run { listener in
        let connection = try listener.accept()
        _ = try connection.expect(ControlInterface.Get.self)
        try connection.expectClose()
      } against: {
        errorCode { _ = try client.get("volume") }
      }
      #expect(code == .timedOut)
      #expect(start.duration(to: .now) >= .milliseconds(100))
      withExtendedLifetime(client) {}
    }

    @Test(arguments: [
      "garbage\0", "{}x\0", "[]\0", "{\"error\":1}\0", "\0", "{\"parameters\":{\"state\":1}}\0",
      "{\"parameters\":{},\"continues\":true}\0",
    ]) func `say that it is no daemon that answers`(_ answer: String) async throws {
      let client = client
      let code = try await run { listener in
        let connection = try listener.accept()
        _ = try connection.expect(ControlInterface.Get.self)
        try connection.send(answer.utf8)
      } against: {
        errorCode { _ = try client.get("volume") }
      }
      #expect(code == .protocolViolation)
    }

    @Test func `say that the daemon hung up`() async throws {
      let client = client
      let code = try await run { listener in
        let connection = try listener.accept()
        _ = try connection.expect(ControlInterface.Get.self)
        connection.close()
      } against: {
        errorCode { _ = try client.get("volume") }
      }
      #expect(code == .disconnected)
    }

    @Test func `say where they looked for a daemon`() throws {
      let client = StepperClient(address: "/nonexistent/socket")
      do {
        _ = try client.get("volume")
        Issue.record("there is a daemon")
      } catch {
        #expect(error.code == .cannotConnect)
        #expect(error.message.contains("/nonexistent/socket: No such file or directory"))
        #expect(error.message.contains("STEPPERD_ADDRESS"))
      }
    }

    @Test func `refuse a path that no socket can have`() {
      let client = StepperClient(address: "/" + String(repeating: "x", count: 200))
      #expect(errorCode { _ = try client.get("volume") } == .cannotConnect)
    }

    @Test func `hold until the time is over`() async throws {
      let client = client
      let start = SuspendingClock.now
      try await run { listener in
        let connection = try listener.accept()
        _ = try connection.expect(DeviceInterface.Press.self)
        try connection.reply(DeviceInterface.Press.self, .init())
        #expect(try connection.expect(DeviceInterface.Release.self).input == "plus")
        try connection.reply(DeviceInterface.Release.self, .init())
        try connection.expectClose()
      } against: {
        let plus = InputName(device: "panel", input: "plus")
        try client.press(plus)
        try client.stayConnected(for: .milliseconds(30))
        try client.release(plus)
        client.close()
      }
      #expect(start.duration(to: .now) >= .milliseconds(30))
    }

    @Test func `stop holding when the daemon goes away`() async throws {
      let client = client
      let code = try await run { listener in
        let connection = try listener.accept()
        _ = try connection.expect(DeviceInterface.Press.self)
        try connection.reply(DeviceInterface.Press.self, .init())
      } against: {
        errorCode {
          try client.press(InputName(device: "panel", input: "plus"))
          try client.stayConnected()
        }
      }
      #expect(code == .disconnected)
    }
  }
}

/// The code of the error that `body` throws; nil if it throws none of ours.
func errorCode(_ body: () throws -> Void) -> StepperClientError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? StepperClientError)?.code
  }
}
