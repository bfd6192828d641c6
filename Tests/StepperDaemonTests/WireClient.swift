import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Varlink

/// A client that can also do everything a client should not.
final class WireClient {
  private let descriptor: CInt
  private var received: [UInt8] = []
  /// Whether ``messagesSoFar(limit:)`` found that the daemon has closed the connection.
  private(set) var isAtEnd = false
  /// What a subscription told last of each control.
  private var latest: [String: ControlInterface.State] = [:]

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let result = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw TestFailure("cannot connect to \(path): errno \(errno)") }
  }

  deinit {
    // The daemon is told even while a child that another test has just forked still holds a copy.
    shutdown(descriptor, CInt(SHUT_RDWR))
    Glibc.close(descriptor)
  }

  // MARK: Bytes

  /// Sends what the socket takes; false if the other side is gone.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    let flags = CInt(MSG_NOSIGNAL)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, flags)
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Sends a message and its NUL.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8) + [0]) }

  /// "No more calls", as `printf … | socat` says it.
  func endInput() { shutdown(descriptor, CInt(SHUT_WR)) }

  /// The next message; nil if the connection ended.
  func message(within seconds: Double = 60) throws -> String? {
    let deadline = Deadline(in: seconds)
    while true {
      if let end = received.firstIndex(of: 0) {
        defer { received.removeSubrange(...end) }
        return String(decoding: received[..<end], as: UTF8.self)
      }
      guard deadline.waitForInput(on: descriptor) else { throw TestFailure("no message within \(seconds) s") }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return nil }
      received += buffer.prefix(count)
    }
  }

  /// The messages that are here, without waiting for more; at most `limit` bytes are read.
  func messagesSoFar(limit: Int = 1 << 20) -> [String] {
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = unsafe recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
    if count == 0 { isAtEnd = true }
    received += buffer.prefix(max(count, 0))
    var parts = received.split(separator: 0, omittingEmptySubsequences: false)
    received = Array(parts.removeLast())
    return parts.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether something comes within `seconds`.
  func hasMessage(within seconds: Double) -> Bool { Deadline(in: seconds).waitForInput(on: descriptor) }

  /// Whether the daemon closes the connection, having sent nothing more.
  func isClosed(within seconds: Double = 60) throws -> Bool { try message(within: seconds) == nil }

  // MARK: Varlink

  func reply(within seconds: Double = 60) throws -> VarlinkReply {
    guard let message = try message(within: seconds) else { throw TestFailure("the connection ended") }
    return try VarlinkReply(decoding: message.utf8)
  }

  func send<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, mode: VarlinkCall.Mode? = nil
  ) throws {
    send(try VarlinkCall(method, parameters, mode: mode).encoded())
  }

  @discardableResult
  func call<Method: VarlinkMethod>(_ method: Method.Type, _ parameters: Method.Parameters) throws
    -> Method.Reply
  {
    try send(method, parameters)
    return try reply().decode(Method.Reply.self)
  }

  /// All replies to a call with `more` that ends by itself.
  func replies<Method: VarlinkMethod>(to method: Method.Type, _ parameters: Method.Parameters) throws
    -> [Method.Reply]
  {
    try send(method, parameters)
    var replies: [Method.Reply] = []
    while true {
      let reply = try reply()
      replies.append(try reply.decode(Method.Reply.self))
      guard reply.continues else { return replies }
    }
  }

  /// The name of the error a call is answered with.
  func failure<Method: VarlinkMethod>(_ method: Method.Type, _ parameters: Method.Parameters) throws
    -> String?
  {
    try send(method, parameters)
    return try reply().error
  }
}

extension WireClient {
  func state(of control: String = "volume") throws -> ControlInterface.State {
    try call(ControlInterface.Get.self, .init(control: control)).state
  }

  /// Follows controls; the snapshot is the first thing ``next()`` returns.
  func subscribe(
    _ match: [String]? = nil, instance: String? = nil, since: Int64? = nil, interval: Int64? = nil
  ) throws {
    try send(
      ControlInterface.Subscribe.self,
      .init(
        match: match, instance: instance, sinceSequence: since, minimumIntervalMilliseconds: interval,
        descriptions: nil))
  }

  /// The next reply to the subscription.
  func next(within seconds: Double = 60) throws -> ControlInterface.Subscribe.Reply {
    let reply = try reply(within: seconds).decode(ControlInterface.Subscribe.Reply.self)
    for state in reply.states { latest[state.control] = state }
    return reply
  }

  /// Reads replies until the subscription has told `state`, which the daemon has published already.
  func catchUp(with state: ControlInterface.State) throws {
    while latest[state.control] != state { _ = try next() }
  }

  /// Reads replies until a state of the control fits; returns all its values on the way.
  @discardableResult
  func values(
    of control: String = "volume", until fits: (ControlInterface.State) -> Bool, within seconds: Double = 60
  ) throws -> [Double] {
    var values: [Double] = []
    while true {
      for state in try next(within: seconds).states where state.control == control {
        if let value = state.value { values.append(value) }
        if fits(state) { return values }
      }
    }
  }

  func turn(_ detents: Int64) throws {
    try call(DeviceInterface.Turn.self, .init(device: "panel", input: "dial", detents: detents))
  }

  /// One turn right after the other, in one piece, without an answer.
  func turn(oneAfterTheOther turns: [Int64]) throws {
    let calls = try turns.map { detents in
      try VarlinkCall(
        DeviceInterface.Turn.self, .init(device: "panel", input: "dial", detents: detents), mode: .oneway)
    }
    send(calls.flatMap { $0.encoded() })
  }

  func press(_ input: String = "plus") throws {
    try call(DeviceInterface.Press.self, .init(device: "panel", input: input))
  }

  func release(_ input: String = "plus") throws {
    try call(DeviceInterface.Release.self, .init(device: "panel", input: input))
  }
}
