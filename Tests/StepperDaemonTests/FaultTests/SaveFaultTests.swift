import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// Each system call of a save fails in turn, and kills in turn.
@Suite(.timeLimit(.minutes(10)))
struct SaveFaultTests {
  /// With two generations on the disk.
  private func bed(_ calls: SystemCalls) throws -> (RunningDaemon, WireClient) {
    let daemon = try RunningDaemon(FaultBed.configuration, calls: calls)
    let client = try daemon.client()
    for value in [1.0, 2] {
      try client.set(both: value)
      #expect(try client.saveFailure() == nil)
    }
    return (daemon, client)
  }

  @Test func `whichever call of a save fails, whole values stay on the disk, and the next save succeeds`()
    throws
  {
    let calls = try SystemCalls()
    let (daemon, client) = try bed(calls)
    var value = 2.0
    let faults = try calls.faults {
      try client.set(both: value + 1)
      value += 1
      #expect(try client.saveFailure() == nil)
    }
    #expect(faults.contains { $0.call == "fsync" } && faults.contains { $0.call == "pthread_create" })
    // Those of connections are in another test.
    for fault in faults where !["recv", "send"].contains(fault.call) {
      try client.set(both: value + 1)
      try calls.arm([fault])
      let failure = try client.saveFailure()
      calls.disarm()
      let saved = try FaultBed.savedValue(in: daemon.folder)
      let expected = failure == nil ? [value + 1] : [value, value + 1]
      #expect(
        saved.map(expected.contains) == true,
        "\(fault): \(failure ?? "saved"), but on the disk is \(saved ?? -1)")
      #expect(try client.saveFailure() == nil, "\(fault)")
      value += 1
      #expect(try FaultBed.savedValue(in: daemon.folder) == value, "\(fault)")
    }
    #expect(try client.call(ManagerInterface.GetStatus.self, NoParameters()).problems.isEmpty)
    #expect(try daemon.stop() == 0)
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(daemon.folder.path)/state/stepperd")
    #expect(Set(files).isSubset(of: FaultBed.generations + ["lock"]), "\(files)")
  }

  @Test func `whichever call of a save it is killed at, the next start has the old or the new values`() throws
  {
    let calls = try SystemCalls()
    var (daemon, client) = try bed(calls)
    var value = 2.0
    let kills = try calls.kills {
      try client.set(both: value + 1)
      value += 1
      #expect(try client.saveFailure() == nil)
    }
    for kill in kills {
      try client.set(both: value + 1)
      try calls.arm([kill])
      client.send(try VarlinkCall(ManagerInterface.Save.self, NoParameters()).encoded())
      // One after the answer comes soon, or is not made this time.
      let isAnswered = try client.message() != nil
      if (try? daemon.process.waitForExit(within: isAnswered ? 0.1 : 5)) == nil {
        daemon.process.signal(SIGKILL)
        #expect(try daemon.process.waitForExit() == -SIGKILL)
      }
      calls.disarm()
      #expect(!daemon.process.output.contains("Fatal"), "\(kill)")
      let folder = daemon.folder
      daemon = try RunningDaemon(FaultBed.configuration, in: folder, calls: calls)
      client = try daemon.client()
      let found = try client.value()
      #expect(found == value || found == value + 1, "\(kill): \(found ?? -1) after \(value)")
      #expect(!daemon.process.output.contains("damaged"), "\(kill)")
      value = found ?? 0
      #expect(try client.saveFailure() == nil, "\(kill)")
    }
  }

  @Test func `when the event loop fails the last values are written, and it ends`() throws {
    let calls = try SystemCalls()
    let daemon = try RunningDaemon(FaultBed.configuration, calls: calls)
    let client = try daemon.client()
    try client.set(both: 42)
    try calls.arm(lines: ["epoll_wait * EINVAL"])
    // It wakes up once more with what it waits in already.
    client.send(try VarlinkCall(ControlInterface.Get.self, .init(control: "volume")).encoded())
    #expect(try daemon.process.waitForExit() == 71)
    #expect(daemon.process.output.contains("stepperd: the event loop failed: Invalid argument"))
    #expect(try FaultBed.savedValue(in: daemon.folder) == 42)
  }

  @Test func `where no thread can be started nothing is lost, and it is tried again`() throws {
    let calls = try SystemCalls()
    let daemon = try RunningDaemon(
      FaultBed.configuration.replacing("\"1h\"", with: "\"0s\""), calls: calls)
    let client = try daemon.client()
    try calls.arm(lines: ["pthread_create * EAGAIN"])
    try client.set(both: 7)
    try daemon.process.expectOutput("cannot start a thread to write")
    #expect(try client.value() == 7)
    calls.disarm()
    try daemon.process.expectOutput("values are saved again")
    #expect(try FaultBed.savedValue(in: daemon.folder) == 7)
  }

  @Test func `where no thread can be started the last values are written all the same`() throws {
    let calls = try SystemCalls()
    let daemon = try RunningDaemon(FaultBed.configuration, calls: calls)
    let client = try daemon.client()
    try calls.arm(lines: ["pthread_create * EAGAIN"])
    try client.set(both: 7)
    #expect(try daemon.stop() == 0)
    #expect(try FaultBed.savedValue(in: daemon.folder) == 7)
  }
}
