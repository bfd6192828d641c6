import StepperLinux
import TestSupport
import Testing
import Varlink

@testable import StepperDaemon

/// Every call that was received is answered, whatever its client sends or reads afterwards.
@MainActor @Suite(.timeLimit(.minutes(10))) struct CompleteCallTests {
  /// So large that the kernel takes the waiting replies of one client in one piece.
  private static var roomy: VarlinkServer.Limits {
    var limits = VarlinkServer.Limits()
    limits.sendBuffer = 1 << 20
    return limits
  }

  @Test func `a reply that cannot be sent ends its connection alone, and is reported as a bug`() throws {
    let bed = try ServerBed()
    let (client, other) = (try bed.client(), try bed.client())
    try client.order("infinite")
    try other.order("good")
    var replies = 0
    #expect(
      try bed.run(every: .milliseconds(1)) {
        replies += other.messagesSoFar().count
        return client.messagesSoFar().isEmpty && client.isAtEnd && replies == 1
      })
    #expect(bed.bugs == 1 && bed.log.count == 1 && bed.log[0].contains("org.example.Do"), "\(bed.log)")
  }

  @Test(arguments: [1, 10, 40])
  func `replies of more than 64 KiB to pipelined calls, all read at once`(_ kilobytes: Int) throws {
    let bed = try ServerBed(Self.roomy)
    let client = try bed.client()
    try client.order(bytes: kilobytes << 10, count: 200)
    var received = 0
    #expect(
      try bed.run(every: .milliseconds(1)) {
        received += client.messagesSoFar().count
        return received == 200
      }, "\(received) replies")
    #expect(bed.handler.answered.count == 200)
  }

  @Test(arguments: [true, false])
  func `a client that ended its input and reads slowly gets all replies, and then the end`(_ isSlow: Bool)
    throws
  {
    let bed = try ServerBed(isSlow ? .init() : Self.roomy)
    let client = try bed.client()
    try client.order(bytes: 20_000, count: 100)
    client.endInput()
    var received = 0
    #expect(
      try bed.run(every: .milliseconds(1)) {
        received += client.messagesSoFar(limit: isSlow ? 5_000 : 1 << 20).count
        return client.isAtEnd
      })
    #expect(received == 100)
    #expect(bed.handler.endedSessions == 1 && bed.server.sessions.isEmpty)
  }

  @Test func `calls behind a stream are answered after its last reply, also after the end of the input`()
    throws
  {
    let bed = try ServerBed()
    let client = try bed.client()
    try client.order("stream", bytes: 30_000, replies: 10, mode: .more)
    try client.order("behind", bytes: 30_000, count: 20)
    client.endInput()
    var received = 0
    #expect(
      try bed.run(every: .milliseconds(1)) {
        received += client.messagesSoFar(limit: 10_000).count
        return client.isAtEnd
      })
    #expect(received == 30)
    #expect(bed.handler.endedStreams == 1)
    #expect(bed.handler.answered == ["stream"] + Array(repeating: "behind", count: 20))
  }

  @Test func `a stream whose reply is too large ends with an error, and the connection goes on`() throws {
    let bed = try ServerBed()
    let client = try bed.client()
    try client.order(bytes: 2 << 20, replies: 10, mode: .more)
    try client.order()
    var messages: [String] = []
    #expect(
      try bed.run {
        messages += client.messagesSoFar()
        return messages.count == 2
      })
    #expect(messages.first?.hasPrefix(#"{"error":"org.varlink.service.InvalidParameter""#) == true)
    #expect(bed.handler.endedStreams == 1)
  }

  @Test func `one-way calls are done although their client is gone`() throws {
    let bed = try ServerBed()
    do {
      let client = try bed.client()
      // More than one read takes in, and than one wakeup's budget allows.
      try client.order("last words", microseconds: 20, mode: .oneway, count: 1_000)
    }
    #expect(try bed.run { bed.handler.endedSessions == 1 })
    #expect(bed.handler.answered.count == 1_000)
  }

  @Test func `a client that is gone and is owed a reply is closed at once`() throws {
    let bed = try ServerBed()
    do {
      let client = try bed.client()
      try client.order(bytes: 10_000, count: 1_000)
    }
    do {
      let client = try bed.client()
      try client.order(replies: 1_000_000, mode: .more)
    }
    #expect(try bed.run { bed.handler.endedSessions == 2 })
    #expect(bed.handler.answered.count < 100)
    #expect(bed.handler.endedStreams == 1)
  }

  @Test func `nothing spins while there is nothing to do`() throws {
    let bed = try ServerBed()
    // Half-closed with a stream, with a call and its reply unread, in the middle of a call, and idle.
    let halfClosed = try bed.client()
    try halfClosed.order(replies: 0, mode: .more)
    halfClosed.endInput()
    let stalled = try bed.client()
    try stalled.order(bytes: 500_000, count: 3)
    stalled.endInput()
    let torn = try bed.client()
    torn.send(Array(#"{"method":"org"#.utf8))
    let idle = try bed.client()
    try idle.order()
    #expect(try bed.run { bed.handler.answered.count == 3 && bed.server.sessions.count == 4 })
    // What is under way settles within a few wakeups.
    let before = bed.loop.wakeups
    try bed.run(within: 1) { false }
    let wakeups = bed.loop.wakeups - before
    #expect(wakeups < 20, "\(wakeups) wakeups in a second")
  }
}
