import StepperInterfaces
import TestSupport
import Testing

@testable import StepperClient

extension PeerTests {
  @Suite struct `A follower of replies` {
    typealias Subscribe = ControlInterface.Subscribe

    @Test func `tells each reply, the loss of the connection, and goes on after the last reply`() async throws
    {
      let listener = try PeerListener()
      let peer = listener.peer { listener in
        var connection = try listener.accept()
        _ = try connection.expect(Subscribe.self)
        try connection.reply(Subscribe.self, .snapshot([.example()], sequence: 1), continues: true)
        try connection.reply(
          Subscribe.self, .change([.example(sequence: 2)], sequence: 2), continues: true)
        connection.close()
        connection = try listener.accept()
        let again = try connection.expect(Subscribe.self)
        try connection.reply(
          Subscribe.self, .change([.example(sequence: 3)], sequence: 3), continues: true)
        try connection.expectClose()
        return again
      }
      let client = StepperClient(address: listener.path)
      var told: [String] = []
      do {
        let follower = client.follower(
          .init(match: ["v*"], descriptions: true), longestPause: .milliseconds(10))
        while told.count < 5, let event = try await follower.next() {
          switch event {
          case .reply(let reply): told.append("\(reply.snapshot ? "snapshot" : "change") \(reply.sequence)")
          case .lost: told.append("lost")
          case .regained: told.append("regained")
          }
        }
      }
      #expect(told == ["snapshot 1", "change 2", "lost", "regained", "change 3"])
      let again = try await peer.value
      #expect(again.instance == "one")
      #expect(again.sinceSequence == 2)
      #expect(again.descriptions == true)
    }

    @Test func `tries again what the daemon refuses, in the language that it was asked for`() async throws {
      let listener = try PeerListener()
      let peer = listener.peer { listener in
        var languages: [String?] = []
        for round in 0..<4 {
          let connection = try listener.accept()
          languages.append(try connection.expect(Subscribe.self).language)
          switch round {
          case 0: try connection.fail(ControlInterface.TooManySubscriptions(limit: 1))
          case 1: try connection.fail(ServiceInterface.InvalidParameter(parameter: "language"))
          default: try connection.reply(Subscribe.self, .snapshot([], sequence: 1), continues: round == 3)
          }
          if round == 3 { try connection.expectClose() } else { connection.close() }
        }
        return languages
      }
      let client = StepperClient(address: listener.path)
      var told: [String] = []
      do {
        let follower = client.follower(
          Subscribe.Parameters(language: "de"), longestPause: .milliseconds(10))
        while told.count < 4, let event = try await follower.next() {
          switch event {
          case .reply(let reply): told.append("snapshot \(reply.sequence)")
          case .lost(let error): told.append("\(error.code)")
          case .regained: told.append("regained")
          }
        }
      }
      #expect(told == ["tooManySubscriptions", "regained", "snapshot 1", "snapshot 1"])
      #expect(try await peer.value == ["de", "de", nil, "de"])
    }
  }
}
