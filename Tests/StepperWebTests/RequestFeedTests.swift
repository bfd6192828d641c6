import NIOCore
import NIOEmbedded
import NIOHTTP1
import StepperCore
import Testing
@testable import StepperWeb

/// The handlers of a connection, in virtual time and without a socket.
@Suite("A feed of requests") struct RequestFeedTests {
  private let channel = EmbeddedChannel()
  private let connection: Connection
  private let reads = ReadCount()

  init() throws {
    connection = Connection(channel, AnswerRoom())
    let feed = RequestFeed(RequestProgress(connection))
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandlers(reads, feed)
    try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: false)
    try pipeline.addHandler(RequestWatch(feed))
    feed.serve()
    try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
  }

  /// Counts how often more is wanted of the other side.
  private final class ReadCount: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    var count = 0

    func read(context: ChannelHandlerContext) {
      count += 1
      context.read()
    }
  }

  private func receive(_ text: String) throws {
    try channel.writeInbound(ByteBuffer(string: text))
  }

  /// What has been decoded since the last call, in words.
  private func parts() throws -> [String] {
    var parts: [String] = []
    while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
      switch part {
      case .head(let head): parts.append("\(head.method) \(head.uri)")
      case .body(let body):
        let text = String(buffer: body)
        // How a body is cut is of no account.
        if parts.last?.hasPrefix("+") == true {
          parts[parts.count - 1] += text
        } else {
          parts.append("+\(text)")
        }
      case .end: parts.append("end")
      }
    }
    return parts
  }

  /// Writes an answer, which the other side takes with ``EmbeddedChannel/flush()``.
  private func answer() {
    let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "2"])
    channel.write(HTTPServerResponsePart.head(head), promise: nil)
    channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "ok"))), promise: nil)
    channel.write(HTTPServerResponsePart.end(nil), promise: nil)
  }

  private func pass(_ seconds: Int64) {
    channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
  }

  @Test func `gives one request of many that come at once, and the next when its answer has left`() throws {
    try receive(String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 600))
    for _ in 0..<600 {
      #expect(try parts() == ["GET /", "end"])
      answer()
      #expect(try parts().isEmpty, "the answer has not left")
      channel.flush()
    }
    #expect(try parts().isEmpty)
  }

  @Test func `wants nothing more while something waits`() throws {
    let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    try receive(request + request)
    let before = reads.count
    for _ in 0..<3 { channel.read() }
    #expect(reads.count == before)
    #expect(try parts() == ["GET /", "end"])
    answer()
    channel.flush()
    #expect(reads.count > before)
  }

  @Test func `reads the same, however it is cut`() throws {
    let requests = [
      "GET /a HTTP/1.1\r\nHost: a\r\n\r\n",
      "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\n{\"a\":\n\n\"bc\"}",
      "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab\ncd\r\n3;x=y\r\nefg\r\n0\r\n\r\n",
      "POST /d HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "DELETE /e HTTP/1.1\r\nHost: a\r\n\r\n",
    ]
    let expected = [
      ["GET /a", "end"], ["POST /b", "+{\"a\":\n\n\"bc\"}", "end"], ["POST /c", "+ab\ncdefg", "end"],
      ["POST /d", "end"], ["DELETE /e", "end"],
    ]
    let text = Array(requests.joined().utf8)
    for size in 1...text.count {
      var seen: [[String]] = [[]]
      for start in stride(from: 0, to: text.count, by: size) {
        try receive(String(decoding: text[start..<min(start + size, text.count)], as: UTF8.self))
        while case let new = try parts(), !new.isEmpty {
          let last = (seen.last ?? []) + new
          seen[seen.count - 1] = last.reduce(into: []) { parts, part in
            // A body that came in several reads.
            if part.hasPrefix("+"), parts.last?.hasPrefix("+") == true {
              parts[parts.count - 1] += part.dropFirst()
            } else {
              parts.append(part)
            }
          }
          guard new.last == "end" else { break }
          seen.append([])
          answer()
          channel.flush()
        }
      }
      #expect(seen == expected + [[]], "in pieces of \(size)")
    }
  }

  @Test func `closes a request ten seconds after its first byte, also the second of a connection`() throws {
    try receive("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nX: ")
    answer()
    channel.flush()
    for _ in 0..<9 {
      pass(1)
      try receive("x")
    }
    #expect(channel.isActive)
    pass(1)
    #expect(!channel.isActive)
  }

  @Test(arguments: [false, true])
  func `closes a body ten seconds after the first byte of its request`(_ isSecond: Bool) throws {
    if isSecond {
      try receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      answer()
      channel.flush()
      pass(70)
    }
    try receive("POST / HTTP/1.1\r\n")
    pass(5)
    try receive("Host: a\r\nContent-Length: 100\r\n\r\n{")
    #expect(connection.waitingSince != nil, "it may be closed for another one")
    pass(4)
    try receive(" ")
    #expect(channel.isActive)
    pass(1)
    #expect(!channel.isActive)
  }

  @Test func `closes an early answer's body that does not come`() throws {
    try receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{")
    answer()
    channel.flush()
    #expect(connection.waitingSince != nil)
    pass(11)
    #expect(!channel.isActive)
  }

  @Test func `keeps a connection without a request for 75 seconds`() throws {
    try receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(connection.waitingSince == nil, "it is answered")
    answer()
    channel.flush()
    pass(74)
    #expect(channel.isActive)
    pass(1)
    #expect(!channel.isActive)
  }

  @Test func `closes a reader who takes nothing for a minute`() throws {
    try receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    answer()
    #expect(connection.sendingSince != nil)
    pass(59)
    #expect(channel.isActive)
    pass(1)
    #expect(!channel.isActive)
  }

  @Test func `counts the bytes of each head`() throws {
    try receive("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n")
    answer()
    channel.flush()
    _ = try parts()
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
      #expect(!String(buffer: buffer).contains("431"))
    }
    var (refusal, count): (ByteBuffer?, Int) = (nil, 0)
    while refusal == nil, count < 200 {
      count += 1
      // Closed in the middle of a head, the decoder complains.
      try? receive("X: \(String(repeating: "x", count: 195))\r\n")
      refusal = try channel.readOutbound(as: ByteBuffer.self)
    }
    #expect(refusal.map { String(buffer: $0) }?.hasPrefix("HTTP/1.1 431 ") == true)
    #expect(count == (RequestProgress.headLimit - 25) / 200 + 1)
  }

  @Test func `ends a connection that asks for another protocol`() throws {
    try receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n")
    answer()
    channel.flush()
    let answer = try #require(try channel.readOutbound(as: ByteBuffer.self))
    #expect(String(buffer: answer).lowercased().contains("connection: close"))
    pass(1)
    #expect(!channel.isActive)
  }

  /// What is written until now.
  private func written() throws -> String {
    var text = ""
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: buffer) }
    return text
  }

  @Test func `sends no body to HEAD, whatever the answer is`() throws {
    try receive("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
    answer()
    channel.flush()
    let head = try written()
    #expect(head.lowercased().contains("content-length: 2") && head.hasSuffix("\r\n\r\n"))
    try receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    answer()
    channel.flush()
    #expect(try written().hasSuffix("\r\n\r\nok"))
    try receive("HEAD //a HTTP/1.1\r\nHost: a\r\n\r\n")
    let refusal = try written()
    #expect(refusal.hasPrefix("HTTP/1.1 400 ") && refusal.hasSuffix("\r\n\r\n"))
  }

  @Test func `refuses another transfer encoding than chunked, with one answer`() throws {
    // What follows is not decoded.
    try? receive("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n")
    #expect(try parts().isEmpty)
    let refusal = try written()
    #expect(refusal.hasPrefix("HTTP/1.1 501 ") && refusal.hasSuffix("}"))
  }

  @Test func `ends the connection of HTTP 1.0 after an answer without a length, which has no chunks`() throws
  {
    try receive("GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n")
    let head = HTTPResponseHead(
      version: .http1_1, status: .ok, headers: ["Content-Type": EventStream.contentType])
    channel.write(HTTPServerResponsePart.head(head), promise: nil)
    channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "ok"))), promise: nil)
    channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
    let answer = try written()
    #expect(answer.hasPrefix("HTTP/1.0 200 ") && answer.hasSuffix("\r\n\r\nok"))
    #expect(!answer.lowercased().contains("chunked"))
    pass(1)
    #expect(!channel.isActive)
  }

  @Test func `tells of the other side's end after what it sent`() throws {
    let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    let ends = EndCount()
    try channel.pipeline.syncOperations.addHandler(ends)
    try receive(request + request)
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    #expect(ends.count == 0)
    answer()
    channel.flush()
    #expect(try parts() == ["GET /", "end", "GET /", "end"])
    #expect(ends.count == 1)
  }

  private final class EndCount: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    var count = 0

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if event as? ChannelEvent == .inputClosed { count += 1 }
    }
  }

  @Test func `waits for its turn`() throws {
    let channel = EmbeddedChannel()
    var delays: [Duration] = [.zero, .milliseconds(500)]
    let turn = RequestTurn(take: { delays.removeFirst() }, giveBack: {})
    let feed = RequestFeed(RequestProgress(Connection(channel, AnswerRoom())), turns: [turn])
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(feed)
    try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: false)
    try pipeline.addHandler(RequestWatch(feed))
    feed.serve()
    try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    func count() throws -> Int {
      var count = 0
      while try channel.readInbound(as: HTTPServerRequestPart.self) != nil { count += 1 }
      return count
    }
    let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    try channel.writeInbound(ByteBuffer(string: request + request))
    #expect(try count() == 2)
    let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "0"])
    channel.write(HTTPServerResponsePart.head(head), promise: nil)
    channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(499))
    #expect(try count() == 0)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    #expect(try count() == 2)
  }

  @Test func `gives nothing before it is served, not even the end`() throws {
    let channel = EmbeddedChannel()
    let feed = RequestFeed(RequestProgress(Connection(channel, AnswerRoom())))
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(feed)
    try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: false)
    let ends = EndCount()
    try pipeline.addHandlers(RequestWatch(feed), ends)
    try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    #expect(try channel.readInbound(as: HTTPServerRequestPart.self) == nil)
    #expect(ends.count == 0)
    feed.serve()
    #expect(try channel.readInbound(as: HTTPServerRequestPart.self) != nil)
  }

  private struct Weak {
    weak var connection: Connection?
  }

  @Test func `gives the turns of connections that close to others, and keeps nothing of them`() throws {
    let loop = EmbeddedEventLoop()
    let table = ConnectionTable(descriptors: 1024, threads: 2)
    var now = Instant.milliseconds(0)
    var closed: [Weak] = []
    func visit() throws {
      let channel = EmbeddedChannel(loop: loop)
      let connection = Connection(channel, table.room)
      closed.append(Weak(connection: connection))
      let turns = table.turns(of: connection) { now }
      let feed = RequestFeed(RequestProgress(connection), turns: turns)
      try channel.pipeline.syncOperations.addHandler(feed)
      feed.serve()
      try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      try channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\n"))
      channel.close(promise: nil)
    }
    // Twenty seconds, and more requests than there are turns for.
    for _ in 0..<5000 {
      try visit()
      now = now + .milliseconds(4)
      loop.advanceTime(by: .milliseconds(4))
    }
    #expect(!closed.contains { $0.connection != nil })
    let next = table.turns(of: Connection(EmbeddedChannel(loop: loop), table.room)) { now }
    #expect(next.map { $0.take() <= .milliseconds(5) } == [true, true])
  }
}
