import Glibc
import Varlink

/// Calls a certification service through the client's side of our Varlink code.
struct CertificationClient {
  private let descriptor: CInt
  private var connection = VarlinkClientConnection()

  init(connectedTo descriptor: CInt) { self.descriptor = descriptor }

  mutating func run() throws {
    let start = try call("Start", [:])
    guard let client = start["client_id"] else { throw Failure("Start gave no client_id") }
    var results: [String: AnyJSON] = [:]
    // Each result is passed on as it came; the service judges it at the next call.
    for (method, _) in Script.results {
      results["client_id"] = client
      results = try call(method, results)
    }
    results["client_id"] = client
    let replies = try callMore("Test10", results)
    guard replies == Script.lastReplies else { throw Failure("Test10 returned \(replies)") }
    try send("Test11", ["client_id": client, "last_more_replies": .array(replies)], .oneway)
    guard try call("End", ["client_id": client]) == ["all_ok": .boolean(true)] else {
      throw Failure("End is not content")
    }
  }

  private mutating func call(_ method: String, _ parameters: [String: AnyJSON]) throws -> [String:
    AnyJSON]
  {
    try send(method, parameters, .single)
    return try nextReply().decode([String: AnyJSON].self).filter { $0.value != .null }
  }

  private mutating func callMore(_ method: String, _ parameters: [String: AnyJSON]) throws -> [AnyJSON] {
    try send(method, parameters, .more)
    var texts: [AnyJSON] = []
    while true {
      let reply = try nextReply()
      texts.append(try reply.decode([String: AnyJSON].self)["string"] ?? .null)
      if !reply.continues { return texts }
    }
  }

  private mutating func send(_ method: String, _ parameters: [String: AnyJSON], _ mode: VarlinkCall.Mode)
    throws
  {
    let encoded = try VarlinkParameters(encoding: parameters)
    _ = connection.send(VarlinkCall("\(Script.interface).\(method)", parameters: encoded, mode: mode))
    while connection.pendingOutputCount > 0 {
      let count = unsafe connection.output.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw Failure("cannot send: errno \(errno)") }
      connection.didSend(count)
    }
  }

  private mutating func nextReply() throws -> VarlinkReply {
    while true {
      if let (_, reply) = try connection.nextReply() { return reply }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { throw Failure("the service ended the connection") }
      connection.receive(buffer.prefix(count))
    }
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
