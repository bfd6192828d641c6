import StepperInterfaces
import TestSupport
import Testing

@testable import StepperClient

extension PeerTests {
  @Suite struct `Following changes` {
    typealias Subscribe = ControlInterface.Subscribe

    let listener: PeerListener
    let client: StepperClient

    init() throws {
      listener = try PeerListener()
      client = StepperClient(address: listener.path)
    }

    @Test func `starts with the present state`() async throws {
      let received = Signal()
      let peer = listener.peer { listener in
        let connection = try listener.accept()
        let parameters = try connection.expect(Subscribe.self)
        try connection.reply(Subscribe.self, .snapshot([.example()], sequence: 1), continues: true)
        try received.wait()
        try connection.reply(Subscribe.self, .change([.example("volume", 51)], sequence: 2), continues: true)
        try connection.expectClose()
        return parameters
      }
      var values: [Double?] = []
      for try await state in client.changes(of: "volume", "b*", minimumInterval: .milliseconds(1500)) {
        values.append(state.value)
        if values.count == 2 { break }
        received.give()
      }
      #expect(values == [50, 51])
      #expect(try await peer.value == .init(match: ["volume", "b*"], minimumIntervalMilliseconds: 1500))
    }

    @Test func `of nothing in particular are those of all controls`() async throws {
      let peer = listener.peer { listener in
        let connection = try listener.accept()
        let parameters = try connection.expect(Subscribe.self)
        try connection.reply(Subscribe.self, .snapshot([.example()], sequence: 1), continues: true)
        return parameters.match
      }
      for try await _ in client.changes() { break }
      #expect(try await peer.value == nil)
    }

    @Test(arguments: [true, false]) func `goes on where it was when the daemon`(stops: Bool) async throws {
      let received = Signal()
      let peer = listener.peer { listener in
        var connection = try listener.accept()
        _ = try connection.expect(Subscribe.self)
        try connection.reply(Subscribe.self, .snapshot([.example()], sequence: 4), continues: true)
        if stops { try connection.fail(ControlInterface.Stopping()) }
        connection.close()
        connection = try listener.accept()
        let parameters = try connection.expect(Subscribe.self)
        try received.wait()
        try connection.reply(Subscribe.self, .change([.example("volume", 60)], sequence: 9), continues: true)
        try connection.expectClose()
        return parameters
      }
      var values: [Double?] = []
      for try await state in client.changes(of: "volume") {
        values.append(state.value)
        if values.count == 2 { break }
        received.give()
      }
      #expect(values == [50, 60])
      #expect(try await peer.value == .init(match: ["volume"], instance: "one", sinceSequence: 4))
    }

    @Test func `does not repeat what a restarted daemon says again`() async throws {
      let received = Signal()
      let peer = listener.peer { listener in
        for (instance, volume) in [("one", 50.0), ("two", 50), ("three", 70)] {
          let connection = try listener.accept()
          _ = try connection.expect(Subscribe.self)
          if instance == "two" { try received.wait() }
          let states = [ControlInterface.State.example("volume", volume, origin: .restored)]
          let reply = Subscribe.Reply.snapshot(states, instance: instance, sequence: 1)
          try connection.reply(Subscribe.self, reply, continues: true)
          if instance == "three" { try connection.expectClose() }
        }
      }
      var values: [Double?] = []
      for try await state in client.changes(of: "volume") {
        values.append(state.value)
        if values.count == 2 { break }
        received.give()
      }
      #expect(values == [50, 70])
      try await peer.value
    }

    @Test func `gives a slow reader the last state and no queue`() async throws {
      let (read, allRead) = AsyncStream.makeStream(of: Int64?.self)
      let peer = listener.peer { listener in
        var connection = try listener.accept()
        _ = try connection.expect(Subscribe.self)
        try connection.reply(Subscribe.self, .snapshot([.example()], sequence: 1), continues: true)
        for sequence in 2...1000 {
          let state = ControlInterface.State.example("volume", Double(sequence), sequence: Int64(sequence))
          let reply = Subscribe.Reply.change([state], sequence: Int64(sequence))
          try connection.reply(Subscribe.self, reply, continues: true)
        }
        connection.close()
        // It connects again only when it has read everything, and then says up to where.
        connection = try listener.accept()
        allRead.yield(try connection.expect(Subscribe.self).sinceSequence)
        try connection.expectClose()
      }
      var changes = client.changes(of: "volume").makeAsyncIterator()
      let first = try await changes.next()
      var point: Int64?
      for await sequence in read {
        point = sequence
        break
      }
      #expect(point == 1000)
      let second = try await changes.next()
      #expect(first?.sequence == 1 || first?.value == 1000)
      #expect(second?.value == 1000 || first?.value == 1000)
      changes = client.changes(of: "volume").makeAsyncIterator()
      try await peer.value
    }

    @Test func `ends with the task, and hangs up`() async throws {
      let peer = listener.peer { listener in
        let connection = try listener.accept()
        _ = try connection.expect(Subscribe.self)
        try connection.reply(Subscribe.self, .snapshot([.example()], sequence: 1), continues: true)
        try connection.expectClose()
      }
      let (started, start) = AsyncStream.makeStream(of: Void.self)
      let client = client
      let task = Task {
        var count = 0
        for try await _ in client.changes(of: "volume") {
          count += 1
          start.yield()
        }
        return count
      }
      for await _ in started { break }
      task.cancel()
      #expect(try await task.value == 1)
      try await peer.value
    }
  }
}
