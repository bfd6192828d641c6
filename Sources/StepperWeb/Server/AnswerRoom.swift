internal import NIOCore
internal import Synchronization

/// The memory of answers that are being made or have not been read, limited in total and per address. A request that needs more waits.
/// While one waits, connections whose reader has not taken an answer for a second are closed.
final class AnswerRoom: Sendable {
  /// The most bytes in total, and of one address. A single answer may be larger if there is no other.
  static let limit = 8 << 20
  static let addressLimit = 2 << 20
  /// The room that each request takes until its answer is sent, so that at most 64 requests in total and 16 of one address are served;
  /// the others wait. A larger answer takes more room, or is made in pieces.
  static let least = 128 << 10
  /// The most bytes of a piece.
  static let piece = 32 << 10

  private struct Share {
    let connection: Connection
    let address: String
    let count: Int
  }

  private struct Wait {
    let share: Share
    let signal: Signal
  }

  private struct Contents {
    var shares: [ObjectIdentifier: Share] = [:]
    var totals: [String: Int] = [:]
    var total = 0
    /// By address, in the order of arrival.
    var waits: [String: [Wait]] = [:]

    func fitsAddress(_ share: Share) -> Bool {
      let present = totals[share.address] ?? 0
      return present == 0 || present + share.count <= AnswerRoom.addressLimit
    }

    func fits(_ share: Share) -> Bool { total == 0 || total + share.count <= AnswerRoom.limit }

    mutating func add(_ share: Share) {
      shares[ObjectIdentifier(share.connection)] = share
      totals[share.address, default: 0] += share.count
      total += share.count
    }

    mutating func remove(_ connection: Connection) {
      guard let share = shares.removeValue(forKey: ObjectIdentifier(connection)) else { return }
      total -= share.count
      let rest = (totals[share.address] ?? 0) - share.count
      totals[share.address] = rest > 0 ? rest : nil
    }

    /// Gives room to waiting requests, first to the address that has the least. Returns their signals.
    mutating func serve() -> [Signal] {
      var served: [Signal] = []
      while let wait = next, fits(wait.share) {
        waits[wait.share.address]?.removeFirst()
        if waits[wait.share.address]?.isEmpty == true { waits[wait.share.address] = nil }
        add(wait.share)
        served.append(wait.signal)
      }
      return served
    }

    /// The first waiting request of the address that has the least, apart from addresses that are at their own limit.
    private var next: Wait? {
      waits.values.lazy.compactMap(\.first).filter { fitsAddress($0.share) }
        .min { (totals[$0.share.address] ?? 0) < (totals[$1.share.address] ?? 0) }
    }

    /// Ends the waiting of `connection`. Returns its signals.
    mutating func dismiss(_ connection: Connection) -> [Signal] {
      let ended = waits.values.joined().filter { $0.share.connection === connection }
      for address in Set(ended.map(\.share.address)) {
        waits[address]?.removeAll { $0.share.connection === connection }
        if waits[address]?.isEmpty == true { waits[address] = nil }
      }
      return ended.map(\.signal)
    }
  }

  private let contents = Mutex(Contents())

  /// The number of bytes in use.
  var total: Int { contents.withLock(\.total) }

  /// The number of waiting requests.
  var waitCount: Int { contents.withLock { $0.waits.values.reduce(0) { $0 + $1.count } } }

  /// Waits for room for `count` bytes for `connection`, which replaces the room that it has. Throws if the connection is closed or the
  /// task is cancelled meanwhile.
  func take(_ count: Int, for connection: Connection, of address: String) async throws {
    let share = Share(connection: connection, address: address, count: count)
    let signal = Signal()
    change { contents in
      contents.remove(connection)
      contents.waits[address, default: []].append(Wait(share: share, signal: signal))
    }
    while connection.channel.isActive, !Task.isCancelled {
      guard !has(connection) else { return }
      closeStalled(for: share)
      let timer = connection.channel.eventLoop.scheduleTask(in: .seconds(1)) { signal.signal() }
      await signal.wait()
      timer.cancel()
    }
    // Also removes room that was given after the end of the connection, because nothing else returns it.
    remove(connection)
    throw ChannelError.ioOnClosedChannel
  }

  func has(_ connection: Connection) -> Bool {
    contents.withLock { $0.shares[ObjectIdentifier(connection)] != nil }
  }

  /// Returns the room of `connection`.
  func leave(_ connection: Connection) { change { $0.remove(connection) } }

  /// Returns the room of `connection` and ends its waiting, because it is closed.
  func remove(_ connection: Connection) {
    let ended = contents.withLock { $0.dismiss(connection) }
    for signal in ended { signal.signal() }
    leave(connection)
  }

  private func change(_ body: (inout Contents) -> Void) {
    let served = contents.withLock { contents in
      body(&contents)
      return contents.serve()
    }
    for signal in served { signal.signal() }
  }

  /// Closes the connection that has stalled longest: one of the same address if that is at its limit, else one of the address that has
  /// the most.
  private func closeStalled(for share: Share) {
    let latest = ContinuousClock.now - ConnectionTable.takingTime
    let stalled = contents.withLock { contents in
      let isOwn = !contents.fitsAddress(share)
      return contents.shares.values.compactMap { other -> (Connection, Int, ContinuousClock.Instant)? in
        guard !isOwn || other.address == share.address, let since = other.connection.sendingSince,
          since <= latest
        else { return nil }
        return (other.connection, contents.totals[other.address] ?? 0, since)
      }
    }
    guard let longest = stalled.min(by: { ($1.1, $0.2) < ($0.1, $1.2) })?.0 else { return }
    longest.channel.close(promise: nil)
    // Removed at once, so that the next waiting request closes a different connection.
    remove(longest)
  }
}
