import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// A machine, or a unit, that gives the daemon less than it needs.
@Suite(.timeLimit(.minutes(10)))
struct ExhaustionTests {
  /// The daemon behind a limit of the shell's `ulimit`.
  private func start(_ limit: String, in folder: TemporaryFolder) throws -> ChildProcess {
    try folder.write(FaultBed.configuration, to: "stepperd.toml")
    // Without what the test itself has inherited.
    let command = """
      for file in /proc/$$/fd/*; do [ ${file##*/} -gt 2 ] && eval "exec ${file##*/}>&-"; done
      ulimit \(limit) && exec "$0" "$@"
      """
    return try ChildProcess(
      "/bin/bash",
      [
        "-c", command, builtProgram("stepperd"), "--user", "--log-level", "debug", "--config",
        "\(folder.path)/stepperd.toml",
      ],
      // What writes where it crashed needs memory, too.
      environment: RunningDaemon.environment(in: folder).merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 })
  }

  private func serves(_ daemon: ChildProcess) -> Bool {
    // At the end of its output it throws, and that is the answer.
    (try? daemon.expectOutput("Ctrl-C ends it.", within: 20)) != nil
  }

  /// With 42 in both generations.
  private func savedFolder() throws -> TemporaryFolder {
    let daemon = try RunningDaemon(FaultBed.configuration)
    let client = try daemon.client()
    try client.set(both: 42)
    for _ in 0..<2 { #expect(try client.saveFailure() == nil) }
    #expect(try daemon.stop() == 0)
    return daemon.folder
  }

  @Test func `with however few descriptors it serves the values, or ends and says why`() throws {
    let folder = try savedFolder()
    var serving = 0
    // With fewer the loader finds no libraries.
    for count in 5...24 {
      let daemon = try start("-n \(count)", in: folder)
      if serves(daemon) {
        serving += 1
        // Where none is left for a client there is nothing to ask.
        daemon.signal(SIGTERM)
        #expect(try daemon.waitForExit() == 0, "\(count): \(daemon.output)")
      } else {
        let status = try daemon.waitForExit()
        #expect((64...78).contains(status), "\(count): \(status), \(daemon.output)")
        #expect(daemon.output.contains("Too many open files"), "\(count): \(daemon.output)")
      }
      #expect(try FaultBed.savedValue("values.json", in: folder) == 42, "\(count): \(daemon.output)")
      #expect(try FaultBed.savedValue("values.previous.json", in: folder) == 42, "\(count)")
    }
    #expect(serving > 2)
  }

  @Test func `with all descriptors in use it serves who is inside, turns, saves and reloads later`() throws {
    let folder = try savedFolder()
    let daemon = try start("-n 32", in: folder)
    #expect(serves(daemon))
    let inside = try WireClient("\(folder.path)/stepperd/org.stepperd")
    #expect(try inside.value() == 42)
    var crowd = try (0..<40).map { _ in try WireClient("\(folder.path)/stepperd/org.stepperd") }
    try daemon.expectOutput("cannot accept clients")
    try inside.turn(1)
    #expect(try inside.state().value == 43)
    // Without descriptors there are no files; it says so, or has some left.
    let failure = try inside.saveFailure()
    #expect(failure == nil || failure == "org.stepperd.manager.SaveFailed")
    try inside.send(ManagerInterface.Reload.self, NoParameters())
    _ = try inside.reply()
    #expect(try inside.state().value == 43)
    crowd = []
    let isSaved = Deadline().wait { inside.saves() }
    #expect(isSaved)
    #expect(try inside.call(ManagerInterface.Reload.self, NoParameters()).problems.isEmpty)
    let next = try WireClient("\(folder.path)/stepperd/org.stepperd")
    #expect(try next.state().value == 43)
    daemon.signal(SIGTERM)
    #expect(try daemon.waitForExit() == 0, "\(daemon.output)")
    withExtendedLifetime(crowd) {}
  }

  /// What `RLIMIT_NPROC` and `TasksMax=` do, which do not bind root.
  @Test func `without processes and threads it serves, says so, and makes up for it`() throws {
    let calls = try SystemCalls()
    let folder = try TemporaryFolder()
    let daemon = try RunningDaemon(
      """
      \(FaultBed.configuration.replacing("\"1h\"", with: "\"0s\""))
      on-change = ["sh", "-c", "echo {value} >> \(folder.path)/told"]
      """, calls: calls)
    let client = try daemon.client()
    try calls.arm(lines: ["clone * EAGAIN", "pthread_create * EAGAIN"])
    for value in 1...100 {
      try client.set(both: Double(value))
      #expect(try client.value() == Double(value))
    }
    try daemon.process.expectOutput("volume on-change:")
    try daemon.process.expectOutput("cannot start a thread to write")
    calls.disarm()
    try client.set(both: 101)
    let isTold = Deadline().wait {
      // Not there before the first.
      (try? folder.read("told").contains("101")) ?? false
    }
    #expect(isTold)
    try daemon.process.expectOutput("values are saved again", within: 70)
    let isSaved = Deadline().wait { client.saves() }
    #expect(isSaved)
    #expect(try FaultBed.savedValue(in: daemon.folder) == 101)
  }

  /// Swift ends a program that gets no memory. What `Save` has acknowledged is there at the next start.
  @Test func `without memory it may end, and has the values when it is started again`() throws {
    let folder = try savedFolder()
    let probe = try start("-v unlimited", in: folder)
    #expect(serves(probe))
    // In KiB.
    let status = try String(contentsOfFile: "/proc/\(probe.processID)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmPeak:") })
    let size = try #require(Int(line.split(separator: " ")[1].trimming { $0 == "\t" }))
    probe.signal(SIGKILL)
    #expect(try probe.waitForExit() == -SIGKILL)
    var saved = 42.0
    for more in [0, 200, 400, 1_000, 3_000, 10_000] {
      let daemon = try start("-v \(size + more)", in: folder)
      if serves(daemon), let client = try? WireClient("\(folder.path)/stepperd/org.stepperd"),
        (try? client.set(both: saved + 1)) != nil, client.saves()
      {
        saved += 1
        exhaust("\(folder.path)/stepperd/org.stepperd")
      }
      daemon.signal(SIGKILL)
      let end = try daemon.waitForExit()
      #expect(end != 0, "\(more): \(daemon.output)")
      let found = try #require(try FaultBed.savedValue(in: folder), "\(more): \(daemon.output)")
      #expect(found == saved || found == saved + 1, "\(more): \(found) after \(saved)")
      saved = found
    }
    let last = try RunningDaemon(FaultBed.configuration, in: folder)
    #expect(try last.client().value() == saved)
  }

  /// Has it keep as many unread bytes as it does for one user.
  private func exhaust(_ socket: String) {
    let attackers = (0..<32).compactMap { _ in try? WireClient(socket) }  // Fewer do as well.
    let text = String(repeating: "x = 1 2\\n", count: 4_000)
    let call = "{\"method\":\"org.stepperd.manager.Check\",\"parameters\":{\"text\":\"\(text)\"}}"
    for attacker in attackers {
      for _ in 0..<4 where !attacker.send(call) { break }
    }
    // An answer, or the end: it is one of both.
    for attacker in attackers { _ = try? attacker.message(within: 1) }
  }
}

extension Substring {
  fileprivate func trimming(_ isUnwanted: (Character) -> Bool) -> Substring { drop(while: isUnwanted) }
}
