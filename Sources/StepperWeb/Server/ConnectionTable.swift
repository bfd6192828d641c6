internal import HTTPTypes
internal import NIOCore
internal import StepperCore
internal import StepperLinux
internal import Synchronization

/// The open connections, limited in total and per address.
///
/// If there is no room for a new connection, another one is closed: first the oldest that has sent no complete request, then the oldest
/// whose reader has not taken an answer for a second, in each case of the address with the most connections.
final class ConnectionTable: Sendable {
  /// The most open connections, in total and of one address.
  static let usualLimit = 256
  static let addressLimit = 64
  /// Descriptors reserved for other uses: the daemon, files, event loops.
  private static let reserve = 32
  /// How long a reader has to take an answer when others need the room.
  static let takingTime = Duration.seconds(1)

  let limit: Int
  /// The memory of answers.
  let room = AnswerRoom()

  private let connections = Mutex<[ObjectIdentifier: Connection]>([:])
  /// The rate limits of requests, per address and in total, and of connections.
  private let pace = Mutex(Pace())

  private struct Pace {
    var addresses = RateLimits<String>(RateLimit(every: .milliseconds(5), burst: 400))
    var all = RateLimit(every: .milliseconds(2), burst: 400)
    /// More than for requests: a client that sends one request after another, each on a new connection, waits instead of being refused.
    var connections = RateLimits<String>(RateLimit(every: .milliseconds(4), burst: 400))
  }

  private let proxies: TrustedProxies

  /// For a process that may have `descriptors` open, of which each of `threads` needs four. Requests through a proxy are counted for the
  /// client that the proxy names, and the proxy's own address has no limit of connections.
  init(descriptors: Int, threads: Int, proxies: TrustedProxies = TrustedProxies()) {
    self.proxies = proxies
    limit = max(8, min(Self.usualLimit, descriptors - Self.reserve - 4 * threads))
  }

  var count: Int { connections.withLock(\.count) }

  subscript(_ channel: any Channel) -> Connection? {
    connections.withLock { $0[ObjectIdentifier(channel)] }
  }

  /// An accepted connection; nil: its address has opened too many lately.
  func connection(_ channel: any Channel, at now: Instant = .now) -> Connection? {
    let isProxy = proxies.contains(channel.remoteAddress?.ipAddress ?? "")
    let connection = Connection(channel, room, isProxy: isProxy)
    let isAccepted = isProxy || pace.withLock { $0.connections.take(connection.network, at: now) }
    return isAccepted ? connection : nil
  }

  /// The turns that each request of `connection` waits for: first that of its address, then the common one. A connection has at most one
  /// waiting request, so that a request waits at most for those of the other connections.
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

  /// Counts the request with `head` for the client that a proxy names, and waits for the client's turn. Throws if that client has too
  /// many requests, or the connection is closed.
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
    /// The oldest connection by `since`, of the address with the most.
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

  /// Closes the connections without a request.
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
    "there are \(ConnectionTable.addressLimit) requests of this address already, and no more are allowed",
    retryAfter: 1)
}
