import StepperInterfaces
import TestSupport
import Testing
import Varlink

@testable import StepperClient

extension PeerTests {
  @Suite struct `Following moments` {
    typealias Subscribe = ControlInterface.SubscribeMoments

    let listener: PeerListener
    let client: StepperClient

    init() throws {
      listener = try PeerListener()
      client = StepperClient(address: listener.path)
    }

    @Test func `tells each in its order, also those it has no name for`() async throws {
      let peer = listener.peer { listener in
        let connection = try listener.accept()
        let parameters = try connection.expect(Subscribe.self)
        try connection.reply(Subscribe.self, .first, continues: true)
        let unknown = ControlInterface.Moment(rawValue: "shake")
        let moments: [ControlInterface.MomentEvent] = [.example(), .example("bass", .limit, effect: .rigid)]
        try connection.reply(Subscribe.self, .init(moments: moments, dropped: 0), continues: true)
        try connection.reply(
          Subscribe.self, .init(moments: [.example("bass", unknown)], dropped: 0), continues: true)
        try connection.expectClose()
        return parameters.match
      }
      var told: [ControlInterface.MomentEvent] = []
      for try await moment in client.moments(of: "volume", "b*") {
        told.append(moment)
        if told.count == 3 { break }
      }
      #expect(told.prefix(2) == [.example(), .example("bass", .limit, effect: .rigid)])
      #expect(told.last?.moment.rawValue == "shake")
      #expect(try await peer.value == ["volume", "b*"])
    }

    @Test(arguments: [true, false]) func `goes on when the daemon`(stops: Bool) async throws {
      let peer = listener.peer { listener in
        var matches: [[String]?] = []
        for value in 1...2 {
          let connection = try listener.accept()
          matches.append(try connection.expect(Subscribe.self).match)
          try connection.reply(Subscribe.self, .first, continues: true)
          let reply = Subscribe.Reply(moments: [.example(value: Double(value))], dropped: 0)
          try connection.reply(Subscribe.self, reply, continues: true)
          if stops, value == 1 { try connection.fail(ControlInterface.Stopping()) }
          // The client hangs up by itself after the second.
          if value == 2 { try connection.expectClose() }
        }
        return matches
      }
      var values: [Double?] = []
      for try await moment in client.moments() {
        values.append(moment.value)
        if values.count == 2 { break }
      }
      #expect(values == [1, 2])
      #expect(try await peer.value == [nil, nil])
    }

    @Test func `counts what the daemon and a slow reader lost`() async throws {
      let limit = PendingMoments.limit
      let (read, allRead) = AsyncStream.makeStream(of: Void.self)
      let peer = listener.peer { listener in
        var connection = try listener.accept()
        _ = try connection.expect(Subscribe.self)
        let many = [ControlInterface.MomentEvent](repeating: .example(), count: limit)
        for _ in 1...3 {
          try connection.reply(Subscribe.self, .init(moments: many, dropped: 2), continues: true)
        }
        connection.close()
        // It connects again only when it has read everything.
        connection = try listener.accept()
        _ = try connection.expect(Subscribe.self)
        allRead.yield()
        try connection.reply(Subscribe.self, .init(moments: [.example("end")], dropped: 0), continues: true)
        try connection.expectClose()
      }
      let sequence = client.moments(of: ["volume"])
      var moments = sequence.makeAsyncIterator()
      _ = try await moments.next()
      for await _ in read { break }
      var taken = 1
      while let moment = try await moments.next() {
        taken += 1
        if moment.control == "end" { break }
      }
      #expect(taken <= limit + 2)
      #expect(sequence.droppedCount == Int64(3 * limit + 1 - taken) + 6)
      moments = sequence.makeAsyncIterator()
      try await peer.value
    }

    @Test func `ends with the task, and hangs up`() async throws {
      let peer = listener.peer { listener in
        let connection = try listener.accept()
        _ = try connection.expect(Subscribe.self)
        try connection.reply(Subscribe.self, .init(moments: [.example()], dropped: 0), continues: true)
        try connection.expectClose()
      }
      let (started, start) = AsyncStream.makeStream(of: Void.self)
      let client = client
      let task = Task {
        var count = 0
        for try await _ in client.moments() {
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

    @Test func `throws when the daemon refuses, and then is over`() async throws {
      let peer = listener.peer { listener in
        let connection = try listener.accept()
        _ = try connection.expect(Subscribe.self)
        try connection.fail(ControlInterface.TooManySubscriptions(limit: 8))
        try connection.expectClose()
      }
      var moments = client.moments().makeAsyncIterator()
      do {
        _ = try await moments.next()
        Issue.record("no error")
      } catch {
        #expect(error.code == .tooManySubscriptions)
      }
      #expect(try await moments.next() == nil)
      try await peer.value
    }

    @Test func `blocks in the blocking form, and tells losses and returns once`() async throws {
      let peer = listener.peer { listener in
        for value in 1...2 {
          let connection = try listener.accept()
          #expect(try connection.expect(Subscribe.self).match == ["volume"])
          try connection.reply(Subscribe.self, .first, continues: true)
          let reply = Subscribe.Reply(moments: [.example(value: Double(value))], dropped: Int64(value))
          try connection.reply(Subscribe.self, reply, continues: true)
          if value == 2 {
            try connection.fail(ServiceInterface.PermissionDenied())
            try connection.expectClose()
          }
        }
      }
      let client = client
      let (values, told, dropped, end) = try await onThread {
        let moments = try client.momentSubscription(to: ["volume"])
        var told: [StepperClientError.Code?] = []
        moments.connectionChanged = { told.append($0?.code) }
        let values = [try moments.next()?.value, try moments.next(timeout: .seconds(10))?.value]
        return (values, told, moments.droppedCount, errorCode { _ = try moments.next() })
      }
      #expect(values == [1, 2])
      #expect(told == [.disconnected, nil])
      #expect(dropped == 3)
      #expect(end == .permissionDenied)
      try await peer.value
    }

    @Test func `returns nil when nothing happens in time`() async throws {
      let peer = listener.peer { listener in
        let connection = try listener.accept()
        _ = try connection.expect(Subscribe.self)
        try connection.expectClose()
      }
      let client = client
      let moment = try await onThread {
        try client.momentSubscription().next(timeout: .milliseconds(20))
      }
      #expect(moment == nil)
      try await peer.value
    }

    @Test func `is an error without a daemon at the start`() {
      let client = StepperClient(address: "/nonexistent")
      #expect(errorCode { _ = try client.momentSubscription().next() } == .cannotConnect)
    }
  }
}
