internal import HTTPTypes
internal import NIOCore
internal import StepperCore
internal import StepperLinux
internal import Synchronization

/// The open connections; there is a most of all and of one address.
///
/// Where there is no room for a new one, another one is closed for it: the oldest of those that have sent no whole
/// request, and then of those whose reader has not taken an answer for a second, each of the address with the most.
final class ConnectionTable: Sendable {
  /// The most that are open, of all and of one address.
  static let usualLimit = 256
  static let addressLimit = 64
  /// Descriptors that are not for connections: those of the daemon, of files, of event loops.
  private static let reserve = 32
  /// How long a reader has for an answer when others need the room.
  static let takingTime = Duration.seconds(1)

  let limit: Int
  /// The memory of answers.
  let room = AnswerRoom()

  private let connections = Mutex<[ObjectIdentifier: Connection]>([:])
  /// Requests, of each address and of all, and connections.
  private let pace = Mutex(Pace())

  private struct Pace {
    var addresses = RateLimits<String>(RateLimit(every: .milliseconds(5), burst: 400))
    var all = RateLimit(every: .milliseconds(2), burst: 400)
    /// More than requests: a client that sends requests one after the other, each on another connection, waits and is not refused.
    var connections = RateLimits<String>(RateLimit(every: .milliseconds(4), burst: 400))
  }

  private let proxies: TrustedProxies

  /// For a process that may have so many `descriptors`, of which each of `threads` needs four. Of a proxy, each request is
  /// counted for the client that it names, and no connection for its own address.
  init(descriptors: Int, threads: Int, proxies: TrustedProxies = TrustedProxies()) {
    self.proxies = proxies
    limit = max(8, min(Self.usualLimit, descriptors - Self.reserve - 4 * threads))
  }

  var count: Int { connections.withLock(\.count) }

  subscript(_ channel: any Channel) -> Connection? {
    connections.withLock { $0[ObjectIdentifier(channel)] }
  }

  /// A connection that has been accepted; nil: its address has opened too many lately.
  func connection(_ channel: any Channel, at now: Instant = .now) -> Connection? {
    let isProxy = proxies.contains(channel.remoteAddress?.ipAddress ?? "")
    let connection = Connection(channel, room, isProxy: isProxy)
    let isAccepted = isProxy || pace.withLock { $0.connections.take(connection.network, at: now) }
    return isAccepted ? connection : nil
  }

  /// The turns that each request of `connection` waits for: that of its address, and then that of all. It has one request
  /// that waits, so that none waits for more than the other connections.
  func turns(of connection: Connection, now: @escaping () -> Instant = { .now }) -> [RequestTurn] {
    let all = RequestTurn {
      self.pace.withLock { $0.all.reserve(at: now()) }
    } giveBack: {
      self.pace.withLock { $0.all.giveBack(at: now()) }
    }
    return connection.isProxy ? [all] : [turn(of: connection.network, now: now), all]
  }

  private func turn(of network: String, now: @escaping () -> Instant = { .now }) -> RequestTurn {
    RequestTurn {
      self.pace.withLock { $0.addresses.reserve(network, at: now()) }
    } giveBack: {
      self.pace.withLock { $0.addresses.giveBack(network, at: now()) }
    }
  }

  /// Counts the request with `head` for the client that a proxy names, and waits for its turn. Throws if that client has
  /// too many requests, or the connection is closed.
  func admit(_ head: HTTPRequest, over connection: Connection) async throws {
    guard connection.isProxy else { return }
    let client = ClientAddress.network(of: proxies.client(of: connection.address, RequestHead(head)))
    connection.network = client
    let count = connections.withLock { all in
      all.values.count { $0.network == client && $0.phase != .idle }
    }
    guard count <= Self.addressLimit else { throw Problem.tooManyConnections }
    let turn = turn(of: client)
    do {
      try await connection.pass(turn.take())
    } catch {
      turn.giveBack()
      throw error
    }
  }

  /// Adds a connection; false if there is no room.
  func admit(_ connection: Connection) -> Bool {
    let (isAdmitted, closed): (Bool, Connection?) = connections.withLock { connections in
      let isAddressFull =
        !connection.isProxy
        && connections.values.count { $0.network == connection.network } >= Self.addressLimit
      var closed: Connection?
      if isAddressFull || connections.count >= limit {
        let rivals = connections.values.filter { !isAddressFull || $0.network == connection.network }
        closed = Self.dispensable(of: rivals, at: .now)
        guard let closed else { return (false, nil) }
        connections[ObjectIdentifier(closed.channel)] = nil
      }
      connections[ObjectIdentifier(connection.channel)] = connection
      return (true, closed)
    }
    closed?.channel.close(promise: nil)
    return isAdmitted
  }

  private static func dispensable(of connections: [Connection], at now: ContinuousClock.Instant)
    -> Connection?
  {
    let counts = Dictionary(grouping: connections, by: \.network).mapValues(\.count)
    /// The oldest one of the address with the most.
    func first(_ since: (Connection) -> ContinuousClock.Instant?) -> Connection? {
      connections.compactMap { one in since(one).map { (one, counts[one.network] ?? 0, $0) } }
        .min { ($1.1, $0.2) < ($0.1, $1.2) }?.0
    }
    return first(\.waitingSince) ?? first { $0.sendingSince.flatMap { $0 + takingTime <= now ? $0 : nil } }
  }

  func remove(_ connection: Connection) {
    connections.withLock { $0[ObjectIdentifier(connection.channel)] = nil }
    room.remove(connection)
  }

  /// Closes those without a request.
  func closeIdle() { close { $0.waitingSince != nil } }

  func closeAll() { close { _ in true } }

  private func close(where isMeant: (Connection) -> Bool) {
    for connection in connections.withLock({ Array($0.values) }) where isMeant(connection) {
      connection.channel.close(promise: nil)
    }
  }
}

extension Problem {
  fileprivate static let tooManyConnections = Problem(
    .serviceUnavailable,
    "there are \(ConnectionTable.addressLimit) requests of this address, as many as there may be",
    retryAfter: 1)
}
