import StepperLinux
import TestSupport
import Testing
import Varlink

@testable import StepperDaemon

/// The end of the server, in a wakeup of the test's own.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ServerStopTests {
  private static let stopping = ServiceInterface.PermissionDenied.name

  /// Serves until the handler has answered `count` calls, and stops the server in that wakeup.
  private func stop(_ bed: ServerBed, after count: Int) throws {
    #expect(
      try bed.run {
        guard bed.handler.answered.count >= count else { return false }
        bed.server.stop(at: bed.loop.now)
        return true
      })
    #expect(bed.server.sessions.isEmpty && bed.server.deadline(at: bed.loop.now) == nil)
  }

  @Test func `streams have what is due, then their error, and then the end`() throws {
    let bed = try ServerBed()
    let clients = try (0..<3).map { _ in try bed.client() }
    for client in clients { try client.order("stream", bytes: 100, replies: 1_000, mode: .more) }
    try stop(bed, after: 3)
    for client in clients {
      var replies: [VarlinkReply] = []
      while let message = try client.message() { replies.append(try VarlinkReply(decoding: message.utf8)) }
      #expect(replies.count >= 2 && replies.dropLast().allSatisfy { $0.error == nil && $0.continues })
      #expect(replies.last?.error == Self.stopping)
    }
  }

  @Test func `what was answered reaches a client that reads later, and what was not answered is not done`()
    throws
  {
    let bed = try ServerBed()
    let client = try bed.client()
    // With so much unread no further call is answered.
    try client.order("answered", bytes: 70_000)
    try client.order("not answered")
    try stop(bed, after: 1)
    #expect(try client.reply().error == nil)
    #expect(try client.isClosed())
    #expect(bed.handler.answered == ["answered"])
  }

  @Test func `what becomes due for a session that has ended goes nowhere`() throws {
    let bed = try ServerBed()
    var client: WireClient? = try bed.client()
    try client?.order("stream", replies: 1_000_000, mode: .more)
    #expect(try bed.run { bed.handler.answered.count == 1 })
    let number = try #require(bed.server.sessions.keys.first)
    client = nil
    #expect(try bed.run { bed.server.sessions.isEmpty })
    bed.server.noteDue(number)
    #expect(bed.server.deadline(at: bed.loop.now) == nil)
  }
}
