import Glibc
import StepperCore
import StepperLinux
import TestSupport
import Testing
import Varlink

@testable import StepperDaemon

/// Clients that want all there is, beside one that wants little.
@MainActor @Suite(.timeLimit(.minutes(10))) struct FairnessTests {
  /// Lets `flood` want more than there is, called after each wakeup, and a healthy client call in between; returns how many
  /// calls of the flood came between a call of the healthy one and its answer, at most.
  private func callsBetween(_ bed: ServerBed, _ flood: () throws -> Void) throws -> Int {
    let healthy = try bed.client()
    try healthy.order("healthy")
    #expect(try bed.run { !healthy.messagesSoFar().isEmpty })
    var (asked, answered, most) = (0, 0, 0)
    let done = try bed.run {
      try flood()
      if asked == answered {
        guard asked < 20 else { return true }
        asked += 1
        most = max(most, bed.handler.floodSinceHealthy)
        bed.handler.floodSinceHealthy = 0
        try healthy.order("healthy")
      } else {
        answered += healthy.messagesSoFar().count
      }
      return false
    }
    #expect(done)
    return max(most, bed.handler.floodSinceHealthy)
  }

  /// Within a budget of 4 ms, calls of 1 ms: four of them, the one that exceeds it, and those of the wakeup in which the
  /// healthy one's call arrived.
  private static let bound = 12

  @Test(arguments: [VarlinkCall.Mode.single, .oneway])
  func `a pipelining client does not starve others`(_ mode: VarlinkCall.Mode) throws {
    let bed = try ServerBed()
    let attacker = try bed.client()
    var sent = 0
    let most = try callsBetween(bed) {
      _ = attacker.messagesSoFar()
      // Always a hundred that wait.
      let count = 100 + bed.handler.floods - sent
      sent += count
      try attacker.order("flood", microseconds: 1_000, mode: mode, count: count)
    }
    #expect(most <= Self.bound, "\(most) calls")
    #expect(bed.server.counters.budgetOverruns > 0)
  }

  @Test func `thirty connections of its own user do not starve a client`() throws {
    let bed = try ServerBed()
    let attackers = try (0..<30).map { _ in try bed.client() }
    // As long as calls that take long are; always five that wait.
    for attacker in attackers { try attacker.order("flood", padding: 10_000, microseconds: 1_000, count: 5) }
    let most = try callsBetween(bed) {
      for attacker in attackers {
        let count = attacker.messagesSoFar().count
        try attacker.order("flood", padding: 10_000, microseconds: 1_000, count: count)
      }
    }
    // One of each at most, and not the five of each that wait.
    #expect(most <= 30 + Self.bound, "\(most) calls")
  }

  @Test func `streams that always have something to tell do not starve calls`() throws {
    let bed = try ServerBed()
    let followers = try (0..<30).map { _ in
      let client = try bed.client()
      try client.order(bytes: 1_000, replies: 1_000_000, mode: .more)
      return client
    }
    let healthy = try bed.client()
    var (asked, answered, wakeups, longest) = (0, 0, bed.loop.wakeups, Int64(0))
    let done = try bed.run {
      for follower in followers { _ = follower.messagesSoFar() }
      if asked == answered {
        asked += 1
        wakeups = bed.loop.wakeups
        try healthy.order()
      } else {
        answered += healthy.messagesSoFar().count
        longest = max(longest, bed.loop.wakeups - wakeups)
      }
      return answered == 20
    }
    #expect(done && longest <= 3, "\(longest) wakeups")
  }

  @Test func `a crowd at the door does not keep those inside waiting`() throws {
    let bed = try ServerBed()
    let healthy = try bed.client()
    try healthy.order()
    #expect(try bed.run { !healthy.messagesSoFar().isEmpty })
    var (answered, served, longest) = (0, bed.loop.wakeups, Int64(0))
    // As many as the queue holds, but no more: this is the thread that takes them out of it.
    var opened: Int64 = 1
    let done = try bed.run {
      while opened - bed.server.counters.accepted - bed.server.counters.refused < 100 {
        opened += 1
        _ = try bed.client()
      }
      if answered == 0 || !healthy.messagesSoFar().isEmpty {
        answered += 1
        longest = max(longest, bed.loop.wakeups - served)
        served = bed.loop.wakeups
        try healthy.order()
      }
      return answered == 50
    }
    #expect(done && longest <= 3, "\(longest) wakeups")
    #expect(bed.server.counters.accepted + bed.server.counters.refused > 500)
  }
}

/// Clients that make the server keep more and more.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ClientMemoryTests {
  @Test func `all clients together have so much memory and no more, and the greediest is closed`() throws {
    var limits = VarlinkServer.Limits()
    limits.memory = 4 << 20
    let bed = try ServerBed(limits)
    let slow = try bed.client()
    try slow.order(bytes: 100_000)
    let attackers = try (0..<20).map { _ in
      let client = try bed.client()
      try client.order(bytes: 900_000, count: 50)
      return client
    }
    var most = 0
    let done = try bed.run {
      most = max(most, bed.server.memory.total)
      return bed.handler.answered.count >= 21 && bed.server.counters.outgrown > 0
        && !bed.server.sessions.values.contains { $0.hasCall }
    }
    #expect(done && most <= limits.memory, "\(most) bytes")
    #expect(bed.server.counters.outgrown >= 15)
    #expect(bed.log.contains { $0.contains("memory for clients has run out") })
    // Who had little of it has lost nothing, and who is closed has given it back.
    var received = 0
    #expect(
      try bed.run {
        received += slow.messagesSoFar().count
        return received == 1
      })
    #expect(attackers.count == 20)
    #expect(bed.server.memory.total == bed.server.sessions.values.reduce(0) { $0 + $1.memory })
  }

  @Test func `a client that does not read is answered no further, and gives everything back when it goes`()
    throws
  {
    let bed = try ServerBed()
    do {
      let client = try bed.client()
      try client.order(bytes: 10_000, count: 1_000)
      #expect(try bed.run { bed.handler.answered.count >= 7 })
      try bed.run(within: 1) { false }
      #expect(bed.handler.answered.count < 15)
      #expect(bed.server.memory.total < 300_000)
    }
    #expect(try bed.run { bed.server.sessions.isEmpty })
    #expect(bed.server.memory.total == 0)
  }
}
