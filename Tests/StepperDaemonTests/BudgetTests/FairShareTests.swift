import StepperCore
import Testing

@testable import StepperDaemon

@MainActor @Suite struct FairShareTests {
  private func share<Member: Hashable>(_ members: Member...) -> FairShare<Member> {
    members.reduce(into: FairShare()) { $0.add($1) }
  }

  /// The one of `members` whose turn it is.
  private func next<Member: Hashable>(_ share: FairShare<Member>, _ members: [Member]) -> Member? {
    share.next(among: members, by: \.self)
  }

  @Test func `who has taken least is next`() {
    var share = share("a", "b")
    share.charge("a", .milliseconds(3))
    share.charge("b", .milliseconds(1))
    #expect(next(share, ["a", "b"]) == "b")
    share.charge("b", .milliseconds(1))
    #expect(next(share, ["a", "b"]) == "b")
    share.charge("b", .milliseconds(2))
    #expect(next(share, ["a", "b"]) == "a")
    #expect(next(share, []) == nil)
  }

  @Test func `what takes long waits for what does not, but not for ever`() {
    var share = share("long", "short")
    var turns = 0
    let expected: [String: Duration] = ["long": .milliseconds(10), "short": .milliseconds(1)]
    while share.next(among: expected.keys.sorted(), by: \.self, expecting: { expected[$0] ?? .zero })
      == "short"
    {
      share.charge("short", .milliseconds(1))
      turns += 1
    }
    #expect((8...10).contains(turns))
  }

  @Test func `a pause earns one turn and no more`() {
    var share = share("idle", "busy")
    share.charge("idle", .milliseconds(1))
    for _ in 0..<1_000 { share.charge("busy", .milliseconds(1)) }
    var order: [String] = []
    for _ in 0..<7 {
      guard let member = next(share, ["busy", "idle"]) else { continue }
      order.append(member)
      share.charge(member, .milliseconds(1))
    }
    #expect(order.first == "idle" && order.count { $0 == "idle" } <= 4, "\(order)")
  }

  @Test func `who comes anew has no advantage over who waited`() {
    var share = share(0)
    // One that waits, beside one that takes a turn, goes, and comes back as somebody else.
    share.charge(0, .milliseconds(1))
    var turns = 0
    for newcomer in 1...100 {
      share.add(newcomer)
      guard let member = next(share, [0, newcomer]) else { continue }
      share.charge(member, .milliseconds(1))
      if member == 0 { turns += 1 }
      share.remove(newcomer)
    }
    #expect(turns >= 33, "\(turns) of 100")
  }

  @Test func `what somebody owes is kept while it is gone, and nothing for ever`() {
    var share = share(1, 2)
    share.charge(1, .seconds(1))
    share.charge(2, .milliseconds(1))
    share.leave(1)
    share.add(1)
    #expect(next(share, [1, 2]) == 2)
    share.leave(1)
    for member in 3..<1_000 {
      share.add(member)
      share.charge(member, .milliseconds(1))
      share.leave(member)
    }
    #expect(share.accountCount <= 257)
  }
}

/// A server in virtual time: each turn takes what the client's call takes.
@MainActor private struct Simulation {
  var turns = ClientTurns()
  var now = Duration.zero
  /// How long each user was served.
  var served: [UInt32: Duration] = [:]
  /// The longest that a call of the healthy client waited.
  var longestWait = Duration.zero

  /// Clients that always want another call, of so many bytes.
  struct Flood {
    var user: UInt32
    var connections = 1
    var cost: Duration
    /// Whether that is known before, because its calls are as long, or it has called before.
    var isKnown = true
  }

  /// Runs for ten seconds. The healthy client calls each 20 ms, the first time at `start`.
  mutating func run(
    _ floods: [Flood], healthy: ClientTurns.Candidate? = nil, since start: Duration = .zero
  ) {
    let attackers = floods.enumerated().flatMap { index, flood in
      (0..<flood.connections).map { connection in
        ClientTurns.Candidate(
          user: flood.user, session: Int64(index * 1_000 + connection),
          expected: flood.isKnown ? flood.cost : .zero)
      }
    }
    for candidate in attackers + [healthy].compactMap(\.self) {
      turns.add(candidate.session, of: candidate.user)
    }
    let costs = Dictionary(floods.map { ($0.user, $0.cost) }, uniquingKeysWith: { $1 })
    var wants = start
    while now < .seconds(10) {
      let caller = wants <= now ? healthy : nil
      guard let next = turns.next(among: attackers + [caller].compactMap(\.self)) else { return }
      var cost = costs[next.user] ?? .zero
      if next == caller {
        cost = .microseconds(100)
        longestWait = max(longestWait, now - wants)
        wants = now + .milliseconds(20)
      }
      turns.charge(next, cost)
      served[next.user, default: .zero] += cost
      now += cost
    }
  }
}

@MainActor @Suite struct ClientTurnsTests {
  private static let client = ClientTurns.Candidate(user: 1, session: -1)

  @Test func `a user with many connections gets what one with a single connection gets`() {
    var simulation = Simulation()
    simulation.run([
      .init(user: 1, connections: 32, cost: .milliseconds(1)), .init(user: 2, cost: .milliseconds(1)),
      .init(user: 3, cost: .microseconds(50)), .init(user: 4, cost: .milliseconds(5)),
    ])
    for user: UInt32 in 1...4 {
      let seconds = simulation.served[user] ?? .zero
      #expect(abs(seconds / .seconds(10) - 0.25) < 0.01, "user \(user) was served for \(seconds)")
    }
  }

  @Test(arguments: [1, 4, 100], [Duration.zero, .seconds(2)])
  func `a client that wants little waits for one long call of others at most, also if it is new`(
    _ users: UInt32, _ start: Duration
  ) {
    var simulation = Simulation()
    simulation.run(
      (0..<users).map {
        .init(user: 10 + $0, connections: Int($0) % 4 + 1, cost: .milliseconds(10))
      },
      healthy: Self.client, since: start)
    #expect(simulation.longestWait <= .milliseconds(10))
  }

  @Test(arguments: [Duration.zero, .seconds(2)])
  func `a client is not starved by other connections of its own user`(_ start: Duration) {
    var simulation = Simulation()
    simulation.run(
      [.init(user: 1, connections: 31, cost: .milliseconds(10))], healthy: Self.client,
      since: start)
    #expect(simulation.longestWait <= .milliseconds(10))
  }

  @Test(arguments: [1, 4, 31])
  func `where it is not known what takes long, a client waits for one call of each`(_ users: UInt32) {
    var simulation = Simulation()
    simulation.run(
      (0..<users).map { .init(user: 10 + $0, connections: 32, cost: .milliseconds(10), isKnown: false) },
      healthy: Self.client)
    #expect(simulation.longestWait <= .milliseconds(10) * Int(users))
  }

  @Test func `who floods by new connections gets no more than by one`() {
    var turns = ClientTurns()
    var served: [UInt32: Int] = [:]
    for round in Int64(0)..<1_000 {
      // User 1 closes its connection after each call and opens another one; user 2 stays.
      let fickle = ClientTurns.Candidate(user: 1, session: round)
      let steady = ClientTurns.Candidate(user: 2, session: -1)
      turns.add(round, of: 1)
      turns.add(-1, of: 2)
      guard let next = turns.next(among: [fickle, steady]) else { continue }
      turns.charge(next, .milliseconds(1))
      served[next.user, default: 0] += 1
      turns.remove(round, of: 1, isLast: true)
    }
    #expect((400...600).contains(served[1] ?? 0), "\(served)")
  }
}
