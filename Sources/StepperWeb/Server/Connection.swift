internal import Glibc
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes
internal import Synchronization

typealias HTTPConnection = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

/// A connection of a browser, as requests, the ``ConnectionTable`` and the ``AnswerRoom`` see it.
final class Connection: Sendable {
  enum Phase: Hashable {
    /// No request is being read or answered.
    case idle
    /// A request is being read: its head, or its body.
    case reading
    case answering
    /// A stream of events is sent.
    case streaming
  }

  private struct State {
    var phase = Phase.idle
    var since = ContinuousClock.now
    /// Since when the other side has not taken all that was written; nil: it has.
    var sendingSince: ContinuousClock.Instant?
    /// The bytes of bodies that the kernel has not taken.
    var unsentCount = 0
  }

  let channel: any Channel
  /// The address of the other side, without port; that of a Unix socket is empty.
  let address: String
  /// Whether the other side is a proxy, which asks for many.
  let isProxy: Bool
  /// The address of this side with its port, as in `Host`; nil for a Unix socket.
  let ownAddress: String?
  /// Signalled when everything that was written has been taken by the kernel, or the connection is closed.
  let drained = Signal()

  private let room: AnswerRoom
  private let state = Mutex(State())
  private let client: Mutex<String>
  private let requestTarget = Mutex(RequestTarget?.none)

  init(_ channel: any Channel, _ room: AnswerRoom, isProxy: Bool = false) {
    (self.channel, self.room, self.isProxy) = (channel, room, isProxy)
    address = channel.remoteAddress?.ipAddress ?? ""
    client = Mutex(ClientAddress.network(of: address))
    ownAddress = channel.localAddress.flatMap { own in
      // Where all addresses are listened at, one of IPv4 is within one of IPv6, and a browser names it as that of IPv4.
      own.ipAddress.map { TrustedProxies.address(Array($0.utf8)) ?? $0 }
        .map { "\($0.contains(":") ? "[\($0)]" : $0):\(own.port ?? 0)" }
    }
  }

  /// The address that its present request is counted for: see ``ClientAddress``.
  var network: String {
    get { client.withLock(\.self) }
    set { client.withLock { $0 = newValue } }
  }

  /// The target of its present request, as ``RequestWatch`` has read it.
  var target: RequestTarget? {
    get { requestTarget.withLock(\.self) }
    set { requestTarget.withLock { $0 = newValue } }
  }

  /// What its requests are read from, and answers written to; none is decoded before. Its user must close it: NIO ends the
  /// process where one is given up. So it is made for the task that serves the connection, and not when it is accepted, for
  /// a stop gives up what is accepted and not served.
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

  /// Since when it may be closed for another one, because nothing or no whole request has come; nil: it may not.
  var waitingSince: ContinuousClock.Instant? {
    state.withLock { [.idle, .reading].contains($0.phase) ? $0.since : nil }
  }

  /// Since when the other side has not taken all that was written; nil: it has.
  var sendingSince: ContinuousClock.Instant? { state.withLock(\.sendingSince) }

  func enter(_ phase: Phase) {
    state.withLock { state in
      (state.phase, state.since) = (phase, .now)
      // A request is read when the answer before it has left.
      if phase == .reading { state.unsentCount = 0 }
    }
  }

  func note(isSending: Bool) {
    state.withLock { $0.sendingSince = isSending ? $0.sendingSince ?? .now : nil }
  }

  /// Counts bytes of a body that are about to be written.
  func queue(_ count: Int) { state.withLock { $0.unsentCount += count } }

  /// Counts bytes of a body that the kernel has taken.
  func take(_ count: Int) {
    state.withLock { $0.unsentCount = max(0, $0.unsentCount - count) }
    drained.signal()
  }

  /// Waits until there is room for answers of `count` bytes, and takes it, in place of what it has. Throws if the
  /// connection is closed.
  func takeRoom(_ count: Int) async throws { try await room.take(count, for: self, of: network) }

  /// Whether it has room.
  var hasRoom: Bool { room.has(self) }

  func leaveRoom() { room.leave(self) }

  /// Waits so long. Throws if the connection is closed meanwhile.
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

  /// Waits until the kernel has taken what was queued. Throws if the connection is closed.
  func drain() async throws {
    while state.withLock({ $0.unsentCount > 0 }) {
      guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
      await drained.wait()
      try Task.checkCancellation()
    }
  }
}

/// What is counted as one client: an address of IPv4, a network of IPv6 of 64 bits, which is what one customer of a provider has
/// at least, or all of the Unix socket.
enum ClientAddress {
  /// That of an address in numbers; of the Unix socket, which is empty, it is empty.
  static func network(of address: String) -> String {
    guard let address = TrustedProxies.address(Array(address.utf8)) else { return address }
    // The same machine is one client, and known by its address.
    guard address.utf8.contains(UInt8(ascii: ":")), address != "::1" else { return address }
    var bytes = in6_addr()
    guard unsafe inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
    let prefix = unsafe withUnsafeBytes(of: bytes) { unsafe Array($0.prefix(8)) }
    let words = stride(from: 0, to: 8, by: 2).map { UInt16(prefix[$0]) << 8 | UInt16(prefix[$0 + 1]) }
    return words.map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
  }
}
