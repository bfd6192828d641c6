import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Each system call of a start fails in turn, and kills in turn.
@Suite(.timeLimit(.minutes(10)))
struct StartFaultTests {
  private let folder: TemporaryFolder
  private let calls: SystemCalls
  /// The newer generation with 42 and the older one with 41.
  private let files: [String: String]

  init() throws {
    let daemon = try RunningDaemon(FaultBed.configuration)
    let client = try daemon.client()
    for value in [41.0, 42] {
      try client.set(both: value)
      #expect(try client.saveFailure() == nil)
    }
    #expect(try daemon.stop() == 0)
    folder = daemon.folder
    calls = try SystemCalls()
    files = Dictionary(
      uniqueKeysWithValues: try FaultBed.generations.map { ($0, try daemon.savedText($0)) })
  }

  private func restoreFiles() throws {
    let path = "state/stepperd"
    for name in try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(path)") {
      folder.remove("\(path)/\(name)")
    }
    for (name, text) in files { try folder.write(text, to: "\(path)/\(name)") }
  }

  private func start() throws -> ChildProcess {
    try ChildProcess(
      builtProgram("stepperd"), ["--user", "--config", "\(folder.path)/stepperd.toml"],
      environment: RunningDaemon.environment(in: folder).merging(calls.environment) { $1 })
  }

  /// Whether it serves; else it has ended.
  private func serves(_ daemon: ChildProcess) -> Bool {
    // At the end of its output it throws, and that is the answer.
    (try? daemon.expectOutput("Ctrl-C ends it.", within: 10)) != nil
  }

  private func scenario() throws {
    let daemon = try start()
    #expect(serves(daemon))
    daemon.signal(SIGKILL)
    #expect(try daemon.waitForExit() == -SIGKILL)
  }

  /// Those of a machine that lacks something for a moment: nothing is wrong with the file.
  private static let shortages: Set = ["EMFILE", "ENFILE", "ENOMEM", "EINTR", "ENOLCK"]

  @Test func `whichever call of a start fails, it serves the values, or ends and says why`() throws {
    // All that a start sends is its greeting, by which this test knows that it serves.
    for fault in try calls.faults(of: scenario) where fault.call != "send" {
      try restoreFiles()
      try calls.arm([fault])
      let daemon = try start()
      if serves(daemon) {
        calls.disarm()
        try expectValues(after: fault)
        daemon.signal(SIGTERM)
        #expect(try daemon.waitForExit() == 0, "\(fault)")
      } else {
        calls.disarm()
        let status = try daemon.waitForExit()
        #expect((64...78).contains(status), "\(fault): \(status), \(daemon.output)")
        let lines = daemon.output.split(separator: "\n").filter {
          $0.hasPrefix("stepperd: ") || $0.contains(".toml")
        }
        #expect(lines.count == 1, "\(fault): \(daemon.output)")
        #expect(try FaultBed.savedValue(in: folder) == 42, "\(fault)")
      }
    }
  }

  private func expectValues(after fault: CallFault) throws {
    let client = try WireClient("\(folder.path)/stepperd/org.stepperd")
    // What could not be read at the start is read a second later.
    var value: Double?
    let isThere = Deadline().wait {
      // A mixture throws, and is none of these.
      value = try? client.value()
      return value == 42 || (value == 41 && !Self.shortages.contains(fault.action))
    }
    #expect(isThere, "\(fault): \(value ?? -1)")
  }

  @Test func `whichever call of a start it is killed at, the next start has the values`() throws {
    for kill in try calls.kills(of: scenario) {
      try calls.arm([kill])
      let daemon = try start()
      _ = serves(daemon)
      daemon.signal(SIGKILL)
      #expect(try daemon.waitForExit() == -SIGKILL)
      #expect(try FaultBed.savedValue("values.json", in: folder) == 42, "\(kill)")
    }
    calls.disarm()
    let daemon = try start()
    #expect(serves(daemon))
    #expect(try WireClient("\(folder.path)/stepperd/org.stepperd").value() == 42)
  }
}
