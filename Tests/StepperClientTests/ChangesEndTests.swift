import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

@testable import StepperClient

extension PeerTests {
  @Suite struct `How following changes begins and ends` {
    typealias Subscribe = ControlInterface.Subscribe

    let listener: PeerListener
    let client: StepperClient

    init() throws {
      listener = try PeerListener()
      client = StepperClient(address: listener.path)
    }

    @Test func `throws when the daemon refuses, and then is over`() async throws {
      let peer = listener.peer { listener in
        let connection = try listener.accept()
        _ = try connection.expect(Subscribe.self)
        try connection.fail(ServiceInterface.PermissionDenied())
        try connection.expectClose()
      }
      var changes = client.changes(of: "volume").makeAsyncIterator()
      do {
        _ = try await changes.next()
        Issue.record("no error")
      } catch {
        #expect(error.code == .permissionDenied)
      }
      #expect(try await changes.next() == nil)
      try await peer.value
    }

    @Test func `throws for garbage`() async throws {
      let peer = listener.peer { listener in
        let connection = try listener.accept()
        _ = try connection.expect(Subscribe.self)
        try connection.send("HTTP/1.1 400 Bad Request\0".utf8)
        try connection.expectClose()
      }
      var changes = client.changes(of: "volume").makeAsyncIterator()
      do {
        _ = try await changes.next()
        Issue.record("no error")
      } catch {
        #expect(error.code == .protocolViolation)
      }
      try await peer.value
    }

    @Test func `throws when there is no daemon at the start`() async throws {
      var changes = StepperClient(address: "/nonexistent").changes(of: "volume").makeAsyncIterator()
      do {
        _ = try await changes.next()
        Issue.record("no error")
      } catch {
        #expect(error.code == .cannotConnect)
      }
    }

    @Test func `waits for a daemon that is not there yet, if asked`() async throws {
      let directory = try PeerListener.newDirectory()
      defer { unsafe rmdir(directory) }
      let path = directory + "/org.stepperd"
      let client = StepperClient(address: path)
      let (attempts, failed) = AsyncStream.makeStream(of: StepperClientError.Code?.self)
      let waiting = PeerThread {
        let subscription = try client.subscription(waitsForDaemon: true)
        subscription.connectionChanged = { failed.yield($0?.code) }
        return try subscription.next()
      }
      for await code in attempts {
        #expect(code == .cannotConnect)
        break
      }
      let peer = PeerThread {
        let listener = try PeerListener(at: path)
        for _ in 1...2 {
          let connection = try listener.accept()
          _ = try connection.expect(Subscribe.self)
          try connection.reply(Subscribe.self, .snapshot([.example()], sequence: 1), continues: true)
        }
      }
      #expect(try await waiting.value == .example())
      var first: ControlInterface.State?
      for try await state in client.changes(waitsForDaemon: true) {
        first = state
        break
      }
      #expect(first == .example())
      try await peer.value
    }

    @Test func `blocks in the blocking form, and tells losses and returns once`() async throws {
      let peer = listener.peer { listener in
        for sequence in 1...2 {
          let connection = try listener.accept()
          #expect(try connection.expect(Subscribe.self).descriptions == true)
          let state = ControlInterface.State.example("volume", Double(sequence), sequence: Int64(sequence))
          try connection.reply(
            Subscribe.self, .snapshot([state], sequence: Int64(sequence)), continues: true)
          if sequence == 2 { try connection.expectClose() }
        }
      }
      let client = client
      let (values, told) = try await onThread {
        let subscription = try client.subscription(to: ["volume"])
        var told: [StepperClientError.Code?] = []
        subscription.connectionChanged = { told.append($0?.code) }
        var values = [try subscription.next()?.value, try subscription.next()?.value]
        values.append(try subscription.next(timeout: .milliseconds(20))?.value)
        return (values, told)
      }
      #expect(values == [1, 2, nil])
      #expect(told == [.disconnected, nil])
      try await peer.value
    }
  }
}
