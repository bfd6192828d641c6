import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// Each system call of a connection and of a reload fails in turn: that costs this connection or this call at most.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionFaultTests {
  /// A client that comes, asks, turns, follows and goes. It may be refused, and may not be kept waiting.
  private func visit(_ daemon: RunningDaemon) throws {
    let visitor = try daemon.client()
    visitor.send(try VarlinkCall(ControlInterface.Get.self, .init(control: "volume")).encoded())
    guard try visitor.message() != nil else { return }
    visitor.send(
      try VarlinkCall(DeviceInterface.Turn.self, .init(device: "panel", input: "dial", detents: 1)).encoded())
    guard try visitor.message() != nil else { return }
    visitor.send(
      try VarlinkCall(
        ControlInterface.Subscribe.self,
        .init(
          match: nil, instance: nil, sinceSequence: nil, minimumIntervalMilliseconds: nil, descriptions: nil),
        mode: .more
      ).encoded())
    _ = try visitor.message()
  }

  @Test func `whichever call of a connection fails, it costs that connection at most`() throws {
    let calls = try SystemCalls()
    let daemon = try RunningDaemon(FaultBed.configuration, calls: calls)
    let bystander = try daemon.client()
    _ = try bystander.state()
    let faults = try calls.faults { try visit(daemon) }
    #expect(faults.contains { $0.call == "accept4" } && faults.contains { $0.call == "send" })
    for fault in faults {
      try calls.arm([fault])
      do { try visit(daemon) } catch { Issue.record("\(fault): \(error)") }
      calls.disarm()
      _ = try bystander.state()
      // Whoever comes next is served, and those who have gone are counted no more.
      let isEmpty = Deadline().wait {
        let status = try? daemon.client().call(ManagerInterface.GetStatus.self, NoParameters())
        return status?.clients == 2
      }
      #expect(isEmpty, "\(fault)")
    }
    #expect(try daemon.stop() == 0)
  }

  /// Errors of one connection, in comparison to those of a machine that has nothing left.
  @Test(arguments: [
    "accept4 1 ECONNABORTED", "getsockopt 1 ENOBUFS", "getsockopt 1 ENOTCONN",
    "setsockopt 1 ENOMEM", "epoll_ctl 1 ENOSPC", "epoll_ctl 1 ENOMEM",
  ])
  func `a connection that fails at the door does not close it for others`(line: String) throws {
    let calls = try SystemCalls()
    let daemon = try RunningDaemon(FaultBed.configuration, calls: calls)
    // A door that closes is closed for a second each time; a busy machine is late now and then.
    var shortest = Double.infinity
    for _ in 0..<5 where shortest >= 0.9 {
      try calls.arm(lines: [line])
      let failing = try daemon.client()
      failing.send(try VarlinkCall(ManagerInterface.GetStatus.self, NoParameters()).encoded())
      let start = Date()
      // It may be served all the same.
      _ = try failing.message()
      #expect(try daemon.client().value() != nil)
      shortest = min(shortest, Date().timeIntervalSince(start))
    }
    #expect(shortest < 0.9, "others waited \(shortest) s")
  }

  @Test func `a door without descriptors opens again, and who is inside is served meanwhile`() throws {
    let calls = try SystemCalls()
    let daemon = try RunningDaemon(FaultBed.configuration, calls: calls)
    let inside = try daemon.client()
    _ = try inside.value()
    try calls.arm(lines: ["accept4 * EMFILE"])
    let start = Date()
    let waiting = try daemon.client()
    waiting.send(try VarlinkCall(ControlInterface.Get.self, .init(control: "volume")).encoded())
    try daemon.process.expectOutput("cannot accept clients")
    for _ in 0..<100 { _ = try inside.value() }
    calls.disarm()
    #expect(try waiting.message() != nil)
    // Once a second at most, after the first attempt.
    #expect(try calls.met().count { $0.call == "accept4" } <= 2 + Int(Date().timeIntervalSince(start)))
  }

  @Test func `whichever call of a reload fails, the old or the new configuration is in use`() throws {
    let calls = try SystemCalls()
    let daemon = try RunningDaemon(FaultBed.configuration, calls: calls)
    let client = try daemon.client()
    try client.set(both: 42)
    let faults = try calls.faults { try client.call(ManagerInterface.Reload.self, NoParameters()) }
    for fault in faults {
      try calls.arm([fault])
      try client.send(ManagerInterface.Reload.self, NoParameters())
      let message: String?
      do { message = try client.message() } catch { throw TestFailure("\(fault): \(error)") }
      calls.disarm()
      // A fault in the sending of the answer costs the connection.
      let next = message == nil ? try daemon.client() : client
      #expect(try next.value() == 42, "\(fault)")
      #expect(try next.call(ManagerInterface.Reload.self, NoParameters()).problems.isEmpty, "\(fault)")
      if message == nil { break }
    }
    #expect(try daemon.stop() == 0)
  }

  @Test func `whichever call of a hook's start fails, the next change runs it`() throws {
    let calls = try SystemCalls()
    let folder = try TemporaryFolder()
    let daemon = try RunningDaemon(
      """
      \(FaultBed.configuration)
      on-change = ["sh", "-c", "echo {value} >> \(folder.path)/told"]
      """, calls: calls)
    let client = try daemon.client()
    func runs(_ value: Int, within seconds: Double = 60) -> Bool {
      Deadline(in: seconds).wait {
        // Not there before the first.
        (try? folder.read("told").split(separator: "\n").last) == "\(value)"
      }
    }
    var value = 1
    let faults = try calls.faults {
      try client.turn(1)
      #expect(runs(value))
    }
    #expect(faults.contains { $0.call == "clone" } && faults.contains { $0.call == "pipe2" })
    for fault in faults
    where ["clone", "execve", "socketpair", "pthread_create", "pipe2", "fcntl", "stat", "read", "epoll_ctl"]
      .contains(fault.call)
    {
      try calls.arm([fault])
      try client.turn(1)
      let hasMet = Deadline(in: 2).wait {
        // A log that is not there has met nothing.
        (try? calls.hasMet(fault)) ?? false
      }
      calls.disarm()
      try client.turn(1)
      value += 2
      #expect(runs(value), "\(fault), met: \(hasMet)")
    }
    #expect(try daemon.stop() == 0)
  }
}
