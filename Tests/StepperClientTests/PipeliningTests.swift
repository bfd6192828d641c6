import StepperInterfaces
import TestSupport
import Testing
import Varlink

@testable import StepperClient

extension PeerTests {
  @Suite struct `Calls of several tasks` {
    typealias Get = ControlInterface.Get

    let listener: PeerListener
    let client: StepperClient

    init() throws {
      listener = try PeerListener()
      client = StepperClient(address: listener.path)
    }

    /// A task that gets `control`; the code of the error that it threw, or the name of the control that was answered.
    func get(_ control: String, of client: StepperClient? = nil) -> Task<String, Never> {
      let client = client ?? self.client
      return Task {
        do throws(StepperClientError) {
          return try await client.get(control).control
        } catch {
          return error.code.description
        }
      }
    }

    @Test func `are sent without waiting for each other, and each has its own reply`() async throws {
      let count = 20
      let peer = listener.peer { listener in
        let connection = try listener.accept()
        let names = try (0..<count).map { _ in try connection.expect(Get.self).control }
        for name in names { try connection.reply(Get.self, .init(state: .example(name))) }
        return names
      }
      let tasks = (0..<count).map { get("control\($0)") }
      for (index, task) in tasks.enumerated() { #expect(await task.value == "control\(index)") }
      #expect(try await peer.value.count == count)
    }

    @Test func `are written by who makes them where the connection is open`() async throws {
      let peer = listener.peer { listener in
        let connection = try listener.accept()
        return try (0..<3).map { _ in try connection.expect(Get.self).control }
      }
      let calls = CallConnection(
        CallMachine(timeout: .seconds(60)), to: AddressChoice([StepperAddress(listener.path)]))
      func make(_ control: String) throws {
        let call = try VarlinkCall(Get.self, .init(control: control))
        _ = calls.make { calls, now in calls.make(call, Promise(), at: now) }
      }
      try make("first")
      // What the client's thread does, once: it connects.
      _ = calls.serve()
      try make("second")
      try make("third")
      #expect(try await peer.value == ["first", "second", "third"])
    }

    @Test func `are made from several threads at once`() async throws {
      let daemon = try AnsweringPeer { call in
        let name = try call.parameters(of: Get.self).control
        return [try .of(Get.self, .init(state: .example(name)))]
      }
      let client = StepperClient(address: daemon.path)
      let threads = (0..<8).map { thread in
        PeerThread {
          try (0..<50).allSatisfy { try client.get("\(thread).\($0)").control == "\(thread).\($0)" }
        }
      }
      let tasks = (0..<50).map { get("task.\($0)", of: client) }
      for thread in threads { #expect(try await thread.value) }
      for (index, task) in tasks.enumerated() { #expect(await task.value == "task.\(index)") }
      #expect(daemon.heard.count == 450)
    }

    @Test func `end alone when their task is cancelled`() async throws {
      let cancelled = Signal()
      let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
      let peer = listener.peer { listener in
        let connection = try listener.accept()
        _ = try connection.expect(DeviceInterface.Press.self)
        try connection.reply(DeviceInterface.Press.self, .init())
        let first = try connection.expect(Get.self).control
        arrived.yield()
        let second = try connection.expect(Get.self).control
        arrived.yield()
        try cancelled.wait()
        for name in [first, second] { try connection.reply(Get.self, .init(state: .example(name))) }
        _ = try connection.expect(DeviceInterface.Release.self)
        try connection.reply(DeviceInterface.Release.self, .init())
        try connection.expectClose()
      }
      let plus = InputName(device: "panel", input: "plus")
      try await client.press(plus)
      var arrival = arrivals.makeAsyncIterator()
      let first = get("first")
      await arrival.next()
      let second = get("second")
      await arrival.next()
      first.cancel()
      // The daemon has answered nothing so far.
      #expect(await first.value == "cancelled")
      cancelled.give()
      #expect(await second.value == "second")
      try await client.release(plus)
      client.close()
      try await peer.value
    }

    @Test func `of a cancelled task are not made`() async throws {
      let client = client
      let task = Task {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        _ = try await client.get("volume")
      }
      let result = await task.result
      #expect(throws: StepperClientError.cancelled) { try result.get() }
    }

    @Test func `time out alone, and late replies are dropped`() async throws {
      let timedOut = Signal()
      // The second call has to be answered in this time on a busy machine too.
      let client = StepperClient(address: listener.path, timeout: .seconds(4))
      let peer = listener.peer { listener in
        let connection = try listener.accept()
        _ = try connection.expect(Get.self)
        try timedOut.wait()
        try connection.reply(Get.self, .init(state: .example("late")))
        let name = try connection.expect(Get.self).control
        try connection.reply(Get.self, .init(state: .example(name)))
      }
      #expect(await get("late", of: client).value == "timedOut")
      timedOut.give()
      #expect(await get("next", of: client).value == "next")
      try await peer.value
    }

    @Test func `have their time also while the daemon has no room for a connection`() async throws {
      final class Connected {
        let socket: ClientSocket
        init(_ addresses: [StepperAddress]) throws(ClientSocket.ConnectFailure) {
          socket = try ClientSocket(to: addresses)
        }
      }
      var connected: [Connected] = []
      while let next = try? Connected(client.addresses) { connected.append(next) }
      let impatient = StepperClient(address: listener.path, timeout: .milliseconds(50))
      #expect(await get("volume", of: impatient).value == "timedOut")
      let call = get("volume")
      let peer = listener.peer { [count = connected.count] listener in
        for _ in 0..<count { _ = try listener.accept() }
        let connection = try listener.accept()
        _ = try connection.expect(Get.self)
        try connection.reply(Get.self, .init(state: .example()))
      }
      #expect(await call.value == "volume")
      try await peer.value
    }

    /// What a daemon does that does not answer as it should.
    static let faults: [(String, StepperClientError.Code, @Sendable (PeerConnection) throws -> Void)] = [
      ("dies", .disconnected, { $0.close() }),
      ("answers something else", .protocolViolation, { try $0.send("HTTP/1.1 400 Bad Request\0".utf8) }),
      (
        "goes on answering", .protocolViolation,
        { try $0.reply(Get.self, .init(state: .example()), continues: true) }
      ),
      ("hangs up in the middle of a message", .disconnected, { try $0.send("{".utf8) }),
    ]

    @Test(arguments: faults.indices)
    func `all fail when the daemon misbehaves, and later ones find the next daemon`(
      _ index: Int
    ) async throws {
      let (_, code, misbehave) = Self.faults[index]
      let peer = listener.peer { listener in
        var connection = try listener.accept()
        for _ in 1...5 { _ = try connection.expect(Get.self) }
        try misbehave(connection)
        connection.close()
        connection = try listener.accept()
        let name = try connection.expect(Get.self).control
        try connection.reply(Get.self, .init(state: .example(name)))
      }
      let tasks = (1...5).map { get("control\($0)") }
      for task in tasks { #expect(await task.value == code.description) }
      #expect(await get("again").value == "again")
      try await peer.value
    }

    @Test func `time out when the daemon reads and answers nothing`() async throws {
      let client = StepperClient(address: listener.path, timeout: .milliseconds(200))
      let over = Signal()
      let peer = listener.peer { listener in
        let connection = try listener.accept()
        try over.wait()
        withExtendedLifetime(connection) {}
      }
      let text = String(repeating: "#", count: 60_000)
      let tasks = (0..<50).map { _ in Task { try await client.check(text) } }
      for task in tasks {
        let result = await task.result
        #expect(throws: StepperClientError.self) { try result.get() }
      }
      over.give()
      try await peer.value
    }

    @Test func `are answered beside a subscription that is flooded`() async throws {
      let flood = listener.peer { listener in
        let connection = try listener.accept()
        _ = try connection.expect(ControlInterface.Subscribe.self)
        let states = (0..<20).map { ControlInterface.State.example("control\($0)") }
        let reply = ControlInterface.Subscribe.Reply.change(states, sequence: 1)
        // It ends when the client hangs up.
        while (try? connection.reply(ControlInterface.Subscribe.self, reply, continues: true)) != nil {}
      }
      var changes: StepperChanges.Iterator? = client.changes().makeAsyncIterator()
      _ = try await changes?.next()
      let peer = listener.peer { listener in
        let connection = try listener.accept()
        for _ in 0..<5 {
          let name = try connection.expect(Get.self).control
          try connection.reply(Get.self, .init(state: .example(name)))
        }
      }
      for index in 0..<5 { #expect(try await client.get("\(index)").control == "\(index)") }
      try await peer.value
      changes = nil
      try await flood.value
    }

    @Test func `end when the client is closed`() async throws {
      let client = client
      let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
      let peer = listener.peer { listener in
        let connection = try listener.accept()
        _ = try connection.expect(Get.self)
        arrived.yield()
        try connection.expectClose()
      }
      let call = get("volume")
      for await _ in arrivals { break }
      client.close()
      #expect(await call.value == "disconnected")
      try await peer.value
    }
  }
}
