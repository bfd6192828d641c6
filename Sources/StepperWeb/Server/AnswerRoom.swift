internal import NIOCore
internal import Synchronization

/// The memory of answers that are made or have not been taken, limited for all and for each address. A request that needs
/// more waits. Then a connection is closed whose reader has not taken an answer for a second.
final class AnswerRoom: Sendable {
  /// The most bytes of all, and of one address. One answer may be larger where there is no other.
  static let limit = 8 << 20
  static let addressLimit = 2 << 20
  /// What each request takes until its answer has left, so that there are at most 64 of all and 16 of one address; the
  /// others wait. What is larger takes more, or is made in pieces.
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
    /// By address, each in the order in which they came.
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

    /// Gives room to those who wait, first to the address that has least, and returns their signals.
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

    /// The first of the address that has least, but for those that wait for their own address.
    private var next: Wait? {
      waits.values.lazy.compactMap(\.first).filter { fitsAddress($0.share) }
        .min { (totals[$0.share.address] ?? 0) < (totals[$1.share.address] ?? 0) }
    }

    /// Ends the waiting of `connection`, and returns its signals.
    mutating func dismiss(_ connection: Connection) -> [Signal] {
      var dismissed: [Signal] = []
      for (address, former) in waits {
        let its = former.filter { $0.share.connection === connection }
        guard !its.isEmpty else { continue }
        dismissed += its.map(\.signal)
        let rest = former.filter { $0.share.connection !== connection }
        waits[address] = rest.isEmpty ? nil : rest
      }
      return dismissed
    }
  }

  private let contents = Mutex(Contents())

  /// The bytes that are taken.
  var total: Int { contents.withLock(\.total) }

  /// How many wait.
  var waitCount: Int { contents.withLock { $0.waits.values.reduce(0) { $0 + $1.count } } }

  /// Takes room for `count` bytes of `connection`, in place of what it has, and waits for it. Throws if the connection
  /// is closed or the task cancelled meanwhile.
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
    // Also what was given after the end of the connection, because nothing returns it then.
    remove(connection)
    throw ChannelError.ioOnClosedChannel
  }

  func has(_ connection: Connection) -> Bool {
    contents.withLock { $0.shares[ObjectIdentifier(connection)] != nil }
  }

  /// Gives back what `connection` has.
  func leave(_ connection: Connection) { change { $0.remove(connection) } }

  /// Gives back what `connection` has, and ends its waiting: it is closed.
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

  /// Closes the one that stalls longest: of the own address if that has too much, else of the address that has most.
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
    // At once, so that the next one that waits closes another one.
    remove(longest)
  }
}
