import Glibc
import StepperCore
import StepperLinux
import TestSupport
import Testing

@testable import StepperDaemon

/// Clients of really different users, which only root can make.
@MainActor @Suite(.enabled(if: geteuid() == 0, "needs root"), .timeLimit(.minutes(10))) struct UserTests {
  /// Opens so many connections as somebody else, and sends `text` as a call so many times on each.
  private func child(
    of bed: ServerBed, user: UInt32, connections: Int, text: String = "", microseconds: Int64 = 0,
    calls: Int = 0
  ) throws -> ChildProcess {
    let script = """
      import os, socket, sys
      os.setgroups([]); os.setresgid(\(user), \(user), \(user)); os.setresuid(\(user), \(user), \(user))
      call = b'{"method":"org.example.Do","parameters":{"text":"\(text)","microseconds":\(microseconds)}}\\0'
      held = []
      for _ in range(\(connections)):
          client = socket.socket(socket.AF_UNIX)
          client.connect("\(bed.folder.path)/socket")
          held.append(client)
      for client in held:
          try:
              client.sendall(call * \(calls))
          except OSError:
              pass
      sys.stdin.read()
      """
    return try ChildProcess("/usr/bin/python3", ["-c", script])
  }

  @Test func `users who take all places lock out neither another user nor root`() throws {
    let bed = try ServerBed()
    bed.handler.ranks[0] = .root
    let crowd: [UInt32] = [61_001, 61_002, 61_003, 61_004]
    let children = try crowd.map { try child(of: bed, user: $0, connections: 40) }
    #expect(try bed.run { bed.server.counters.accepted + bed.server.counters.refused == 160 })
    for user in crowd { #expect(bed.server.slots.count(of: user) >= 10) }
    #expect(bed.server.sessions.count <= 120)
    let fifth = try child(of: bed, user: 61_005, connections: 1, text: "fifth", calls: 1)
    let clients = try (0..<4).map { _ in try bed.client() }
    for client in clients { try client.order("root") }
    #expect(
      try bed.run {
        bed.handler.answered.contains("fifth") && bed.handler.answered.count { $0 == "root" } == 4
      })
    #expect(bed.log.contains { $0.hasPrefix("refused ") && $0.hasSuffix("too many are open") })
    #expect(bed.log.count <= 2, "\(bed.log)")
    withExtendedLifetime((children, fifth)) {}
  }

  @Test func `a user with thirty connections gets no more time than one with a single connection`() throws {
    let bed = try ServerBed()
    let many = try child(
      of: bed, user: 61_001, connections: 30, text: "many", microseconds: 500, calls: 100)
    let single = try child(
      of: bed, user: 61_002, connections: 1, text: "single", microseconds: 500, calls: 3_000)
    var (offset, others) = (0, 0)
    #expect(
      try bed.run(within: 60) {
        // From when both want something.
        guard let first = bed.handler.answered.firstIndex(of: "single"), bed.handler.answered.contains("many")
        else { return false }
        offset = max(first, bed.handler.answered.firstIndex(of: "many") ?? 0)
        others = bed.handler.answered[offset...].count { $0 == "single" }
        return bed.handler.answered.count - offset >= 600
      })
    #expect((200...400).contains(others), "\(others) of 600")
    withExtendedLifetime((many, single)) {}
  }
}
