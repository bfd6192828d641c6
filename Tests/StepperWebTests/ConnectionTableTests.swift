import HTTPTypes
import NIOCore
import NIOEmbedded
import StepperCore
import StepperLinux
import Testing

@testable import StepperWeb

@Suite("Room for connections and answers") struct ConnectionTableTests {
  private func connection(
    _ address: String, _ phase: Connection.Phase = .answering, _ room: AnswerRoom = AnswerRoom()
  ) async throws -> Connection {
    let channel = NIOAsyncTestingChannel()
    let address = try SocketAddress(ipAddress: address, port: 1)
    try await channel.connect(to: address)
    channel.remoteAddress = address
    let connection = Connection(channel, room)
    connection.enter(phase)
    return connection
  }

  @Test func `has 64 connections of an address, and closes the oldest that asks nothing for a new one`()
    async throws
  {
    let table = ConnectionTable(descriptors: 1024, threads: 2)
    let oldest = try await connection("10.0.0.1", .reading)
    #expect(table.admit(oldest))
    for _ in 1..<ConnectionTable.addressLimit { #expect(table.admit(try await connection("10.0.0.1"))) }
    let other = try await connection("10.0.0.2", .idle)
    #expect(table.admit(other))
    #expect(table.admit(try await connection("10.0.0.1")))
    #expect(table[oldest.channel] == nil && table[other.channel] === other)
    #expect(!table.admit(try await connection("10.0.0.1")), "all the others are answered")
    #expect(table.count == ConnectionTable.addressLimit + 1)
  }

  @Test func `has 256 connections, and makes room where most wait`() async throws {
    let table = ConnectionTable(descriptors: 4096, threads: 2)
    let own = try await connection("10.0.0.9", .idle)
    #expect(table.admit(own))
    var waiting: [Connection] = []
    for index in 1..<ConnectionTable.usualLimit {
      let one = try await connection("10.0.0.\(index % 5)", index % 5 == 3 ? .reading : .answering)
      if index % 5 == 3 { waiting.append(one) }
      #expect(table.admit(one))
    }
    #expect(table.count == 256)
    #expect(table.admit(try await connection("10.0.0.8")))
    #expect(table[own.channel] === own, "it is the oldest, but of an address with one")
    #expect(table[waiting[0].channel] == nil && table[waiting[1].channel] != nil)
  }

  @Test func `leaves descriptors for what else there is`() {
    #expect(ConnectionTable(descriptors: 1024, threads: 2).limit == 256)
    #expect(ConnectionTable(descriptors: 100, threads: 2).limit == 60)
    #expect(ConnectionTable(descriptors: 48, threads: 2).limit == 8)
  }

  @Test func `counts a network of IPv6 as one, and an address of IPv4 in any form`() {
    func text(_ address: String) -> String {
      ClientAddress.network(of: address)
    }
    #expect(text("2001:db8:1:2:3:4:5:6") == text("2001:db8:1:2::9"))
    #expect(text("2001:db8:1:2:3:4:5:6") != text("2001:db8:1:3::9"))
    #expect(text("::ffff:10.1.2.3") == "10.1.2.3" && text("10.1.2.3") == "10.1.2.3")
    #expect(text("::1") != text("10.1.2.3"))
    #expect(text("") == "" && text("127.0.0.1") == "127.0.0.1" && text("::1") == "::1")
  }

  @Test func `counts what a proxy brings for the clients that it names`() async throws {
    var proxies = TrustedProxies()
    proxies.addresses = ["10.0.0.1"]
    let table = ConnectionTable(descriptors: 1024, threads: 2, proxies: proxies)
    func arrive(from address: String) throws -> Connection? {
      let channel = NIOAsyncTestingChannel()
      channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
      return table.connection(channel)
    }
    var head = HTTPRequest(method: .get, scheme: nil, authority: "a", path: "/")
    head.headerFields[try #require(HTTPField.Name("X-Forwarded-For"))] = "192.0.2.1, 2001:db8:1:2::9"
    func arriveAtProxy() throws -> Connection {
      let connection = try #require(try arrive(from: "10.0.0.1"))
      #expect(connection.isProxy && table.admit(connection))
      connection.enter(.answering)
      return connection
    }
    var answered: [Connection] = []
    for _ in 0..<ConnectionTable.addressLimit {
      answered.append(try arriveAtProxy())
      try await table.admit(head, over: answered[answered.count - 1])
      #expect(answered.last?.network == "2001:db8:1:2::/64")
    }
    let late = try arriveAtProxy()
    await #expect(throws: Problem.self) { try await table.admit(head, over: late) }
    answered[0].enter(.idle)
    try await table.admit(head, over: late)
    let other = try #require(try arrive(from: "10.0.0.2"))
    try await table.admit(head, over: other)
    #expect(!other.isProxy && other.network == "10.0.0.2")
  }

  @Test func `gives each request of an address that asks too often its turn, and others theirs`() async throws
  {
    let table = ConnectionTable(descriptors: 1024, threads: 2)
    let (often, other) = (try await connection("10.0.0.1"), try await connection("10.0.0.2"))
    let now = Instant.now
    let (own, theirs) = (table.turns(of: often) { now }, table.turns(of: other) { now })
    let delays = (0..<1000).map { _ in own[0].take() }
    #expect(delays.prefix(400).allSatisfy { $0 == .zero })
    #expect(delays[400] == .milliseconds(5) && delays[999] == .milliseconds(600 * 5))
    // Of all, those are counted whose own turn has come.
    #expect(theirs.map { $0.take() } == [.zero, .zero])
    let all = (0..<400).map { _ in own[1].take() }
    #expect(all[398] == .zero && all[399] == .milliseconds(2))
    #expect(theirs.map { $0.take() } == [.zero, .milliseconds(4)])
  }

  @Test(arguments: [
    ("::ffff:192.0.2.1", "192.0.2.1:80"), ("192.0.2.1", "192.0.2.1:80"), ("2001:db8::1", "[2001:db8::1]:80"),
  ])
  func `names its own address as a browser does`(_ address: String, _ name: String) throws {
    let channel = NIOAsyncTestingChannel()
    channel.localAddress = try SocketAddress(ipAddress: address, port: 80)
    #expect(Connection(channel, AnswerRoom()).ownAddress == name)
  }

  @Test func `refuses connections of an address that opens too many`() throws {
    let table = ConnectionTable(descriptors: 1024, threads: 2)
    let now = Instant.now
    func opens(_ address: String, at now: Instant) throws -> Bool {
      let channel = NIOAsyncTestingChannel()
      channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
      return table.connection(channel, at: now) != nil
    }
    for _ in 0..<400 { #expect(try opens("10.0.0.1", at: now)) }
    #expect(try !opens("10.0.0.1", at: now))
    #expect(try opens("10.0.0.2", at: now))
    #expect(try opens("10.0.0.1", at: now + .milliseconds(4)))
  }

  // MARK: Answers

  /// Connections of each of `addresses` that have taken `size` bytes.
  private func takers(
    _ addresses: [String], _ count: Int, _ size: Int, _ room: AnswerRoom
  ) async throws -> [Connection] {
    var takers: [Connection] = []
    for address in addresses {
      for _ in 0..<count {
        takers.append(try await connection(address, .answering, room))
        try await takers[takers.count - 1].takeRoom(size)
      }
    }
    return takers
  }

  @Test func `lets an address have so much, and others what is left`() async throws {
    let room = AnswerRoom()
    let own = try await takers(["10.0.0.1"], 16, AnswerRoom.least, room)
    #expect(room.total == AnswerRoom.addressLimit)
    let waiting = try await connection("10.0.0.1", .answering, room)
    let task = Task { try await waiting.takeRoom(AnswerRoom.least) }
    let other = try await connection("10.0.0.2", .answering, room)
    try await other.takeRoom(AnswerRoom.least)
    #expect(room.total == AnswerRoom.addressLimit + AnswerRoom.least)
    own[3].leaveRoom()
    try await task.value
    #expect(room.total == AnswerRoom.addressLimit + AnswerRoom.least)
    for one in own + [waiting, other] { room.remove(one) }
    #expect(room.total == 0)
  }

  @Test func `gives what is left to the address that has least`() async throws {
    let room = AnswerRoom()
    let most = AnswerRoom.addressLimit - AnswerRoom.least
    _ = try await takers((0..<4).map { "10.0.0.\($0)" }, 1, most, room)
    let rests = try await takers((0..<4).map { "10.0.1.\($0)" }, 1, AnswerRoom.least, room)
    #expect(room.total == AnswerRoom.limit)
    let greedy = try await connection("10.0.0.0", .answering, room)
    let modest = try await connection("10.0.2.0", .answering, room)
    let first = Task { try await greedy.takeRoom(AnswerRoom.least) }
    while room.waitCount < 1 { await Task.yield() }
    let second = Task { try await modest.takeRoom(AnswerRoom.least) }
    while room.waitCount < 2 { await Task.yield() }
    rests[0].leaveRoom()
    try await second.value
    #expect(room.waitCount == 1)
    rests[1].leaveRoom()
    try await first.value
    #expect(room.total == AnswerRoom.limit)
  }

  @Test func `lets one answer be larger than all may be, alone`() async throws {
    let room = AnswerRoom()
    let large = try await connection("10.0.0.1", .answering, room)
    try await large.takeRoom(2 * AnswerRoom.limit)
    let other = try await connection("10.0.0.2", .answering, room)
    let task = Task { try await other.takeRoom(AnswerRoom.least) }
    while room.waitCount < 1 { await Task.yield() }
    large.leaveRoom()
    try await task.value
    #expect(room.total == AnswerRoom.least)
  }

  @Test func `closes a reader who takes nothing, when another one waits`() async throws {
    let room = AnswerRoom()
    let stalled = try await connection("10.0.0.1", .answering, room)
    try await stalled.takeRoom(AnswerRoom.addressLimit)
    stalled.note(isSending: true)
    stalled.channel.closeFuture.whenComplete { _ in room.remove(stalled) }
    let next = try await connection("10.0.0.1", .answering, room)
    // A second after it began to stall.
    let task = Task { try await next.takeRoom(AnswerRoom.least) }
    let loop = try #require(next.channel.eventLoop as? NIOAsyncTestingEventLoop)
    while stalled.channel.isActive {
      await loop.advanceTime(by: .seconds(1))
      await Task.yield()
    }
    try await task.value
    #expect(room.total == AnswerRoom.least)
  }

  @Test func `ends the waiting of a connection that is closed`() async throws {
    let room = AnswerRoom()
    let own = try await connection("10.0.0.1", .answering, room)
    try await own.takeRoom(AnswerRoom.addressLimit)
    let waiting = try await connection("10.0.0.1", .answering, room)
    let task = Task { try await waiting.takeRoom(AnswerRoom.least) }
    while room.waitCount < 1 { await Task.yield() }
    try await waiting.channel.close().get()
    room.remove(waiting)
    await #expect(throws: ChannelError.self) { try await task.value }
    #expect(room.waitCount == 0 && room.total == AnswerRoom.addressLimit)
  }
}
