internal import Glibc
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes
internal import Synchronization

typealias HTTPConnection = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

/// A connection from a browser, as seen by requests, the ``ConnectionTable`` and the ``AnswerRoom``.
final class Connection: Sendable {
  enum Phase: Hashable {
    /// No request is being read or answered.
    case idle
    /// The head or the body of a request is being read.
    case reading
    case answering
    /// A stream of events is being sent.
    case streaming
  }

  private struct State {
    var phase = Phase.idle
    var since = ContinuousClock.now
    /// Since when the other side has been behind with reading what was written; nil: it is not behind.
    var sendingSince: ContinuousClock.Instant?
    /// The bytes of bodies that the kernel has not accepted yet.
    var unsentCount = 0
    var network: String
    var target: RequestTarget?
  }

  let channel: any Channel
  /// The address of the other side, without the port. For a Unix socket it is empty.
  let address: String
  /// Whether the other side is a proxy, which sends requests for many clients.
  let isProxy: Bool
  /// The address of this side with its port, as in `Host`; nil for a Unix socket.
  let ownAddress: String?
  /// Signalled when the kernel has accepted everything that was written, or the connection is closed.
  let drained = Signal()

  private let room: AnswerRoom
  private let state: Mutex<State>

  init(_ channel: any Channel, _ room: AnswerRoom, isProxy: Bool = false) {
    (self.channel, self.room, self.isProxy) = (channel, room, isProxy)
    address = channel.remoteAddress?.ipAddress ?? ""
    state = Mutex(State(network: ClientAddress.network(of: address)))
    ownAddress = channel.localAddress.flatMap { own in
      // A socket that listens on all addresses shows an IPv4 address inside an IPv6 one, but browsers send it as an IPv4 address.
      own.ipAddress.map { TrustedProxies.address(Array($0.utf8)) ?? $0 }
        .map { "\($0.contains(":") ? "[\($0)]" : $0):\(own.port ?? 0)" }
    }
  }

  /// The address to which the current request is counted: see ``ClientAddress``.
  var network: String {
    get { state.withLock(\.network) }
    set { state.withLock { $0.network = newValue } }
  }

  /// The target of the current request, as parsed by ``RequestWatch``.
  var target: RequestTarget? {
    get { state.withLock(\.target) }
    set { state.withLock { $0.target = newValue } }
  }

  /// The channel from which requests are read and to which answers are written; nothing is decoded before. Its user must close it: NIO
  /// ends the process if such a channel is dropped. So it is created by the task that serves the connection, and not on acceptance,
  /// because connections that are accepted but not served are dropped when the program stops.
  func open() async throws -> HTTPConnection {
    try await channel.eventLoop.submit { [channel] in
      guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
      let http = try HTTPConnection(
        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
      try channel.syncOptions?.setOption(.autoRead, value: true)
      try channel.pipeline.syncOperations.handler(type: RequestFeed.self).serve()
      return http
    }.get()
  }

  var phase: Phase { state.withLock(\.phase) }

  /// Since when the connection may be closed to make room, because no request, or no complete one, has arrived; nil: it may not be.
  var waitingSince: ContinuousClock.Instant? {
    state.withLock { [.idle, .reading].contains($0.phase) ? $0.since : nil }
  }

  /// Since when the other side has been behind with reading what was written; nil: it is not behind.
  var sendingSince: ContinuousClock.Instant? { state.withLock(\.sendingSince) }

  func enter(_ phase: Phase) {
    state.withLock { state in
      (state.phase, state.since) = (phase, .now)
      // A request is read only when the previous answer has been sent.
      if phase == .reading { state.unsentCount = 0 }
    }
  }

  func note(isSending: Bool) {
    state.withLock { $0.sendingSince = isSending ? $0.sendingSince ?? .now : nil }
  }

  /// Counts bytes of a body that are about to be written.
  func queue(_ count: Int) { state.withLock { $0.unsentCount += count } }

  /// Counts bytes of a body that the kernel has accepted.
  func take(_ count: Int) {
    state.withLock { $0.unsentCount = max(0, $0.unsentCount - count) }
    drained.signal()
  }

  /// Waits for room for answers of `count` bytes, which replaces the room that the connection has. Throws if the connection is closed.
  func takeRoom(_ count: Int) async throws { try await room.take(count, for: self, of: network) }

  /// Whether the connection has room.
  var hasRoom: Bool { room.has(self) }

  func leaveRoom() { room.leave(self) }

  /// Waits for this time. Throws if the connection is closed meanwhile.
  func pass(_ time: Duration) async throws {
    let end = ContinuousClock.now + time
    while case let rest = end - .now, rest > .zero {
      guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
      let timer = channel.eventLoop.scheduleTask(in: TimeAmount(rest)) { [drained] in drained.signal() }
      await drained.wait()
      timer.cancel()
      try Task.checkCancellation()
    }
  }

  /// Waits until the kernel has accepted everything that was queued. Throws if the connection is closed.
  func drain() async throws {
    while state.withLock({ $0.unsentCount > 0 }) {
      guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
      await drained.wait()
      try Task.checkCancellation()
    }
  }
}

/// What counts as one client: an IPv4 address; a 64-bit IPv6 network, which is the least that a provider gives one customer; or all users
/// of the Unix socket.
enum ClientAddress {
  /// The network of a numeric address. For the Unix socket both are empty.
  static func network(of address: String) -> String {
    guard let address = TrustedProxies.address(Array(address.utf8)) else { return address }
    // The same machine is one client, known by its address.
    guard address.utf8.contains(UInt8(ascii: ":")), address != "::1" else { return address }
    var bytes = in6_addr()
    guard unsafe inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
    let prefix = unsafe withUnsafeBytes(of: bytes) { unsafe Array($0.prefix(8)) }
    let words = stride(from: 0, to: 8, by: 2).map { UInt16(prefix[$0]) << 8 | UInt16(prefix[$0 + 1]) }
    return words.map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
  }
}
