import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// The real daemon with a standard error that takes nothing.
@Suite(.timeLimit(.minutes(10))) struct LogPipeTests {
  /// Both ends of something that a log can be written to, and what can be read of it.
  private final class Reader {
    let descriptor: CInt
    private(set) var text = ""

    init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Reads until `text` has been there.
    func expect(_ expected: String, within seconds: Double = 60) throws {
      let deadline = Deadline(in: seconds)
      while !text.contains(expected) {
        guard deadline.waitForInput(on: descriptor) else {
          throw TestFailure("the log never had \"\(expected)\": \(text.suffix(2_000))")
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe read(descriptor, &buffer, buffer.count)
        guard count > 0 else { throw TestFailure("the log ended: \(text.suffix(2_000))") }
        text += String(decoding: buffer.prefix(count), as: UTF8.self)
      }
    }
  }

  /// Whatever the daemon logs meanwhile, it serves.
  private func checkThatItServes(_ daemon: RunningDaemon) throws {
    let client = try daemon.client()
    for value in 1...30 {
      try client.call(ManagerInterface.Reload.self, NoParameters())
      try client.call(ControlInterface.Set.self, .init(control: "volume", value: Double(value)))
      #expect(try client.state().value == Double(value))
    }
  }

  private static let report = "lost because standard error was not writable"

  @Test func `a full pipe stops nothing, and what it did not take is counted when it is read`() throws {
    var ends: [CInt] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let reader = Reader(ends[0])
    let full = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)
    try #require(unsafe write(ends[1], full, full.count) == full.count)
    let daemon = try RunningDaemon(log: ends[1])
    close(ends[1])
    try checkThatItServes(daemon)
    try reader.expect(Self.report)
    try checkThatItServes(daemon)
    #expect(try daemon.stop() == 0)
  }

  @Test func `a stopped terminal stops nothing, and what it did not take is counted when it goes on`() throws
  {
    var (master, slave): (CInt, CInt) = (-1, -1)
    try #require(unsafe openpty(&master, &slave, nil, nil, nil) == 0)
    for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(slave) }
    let reader = Reader(master)
    try #require(tcflow(slave, TCOOFF) == 0)
    let daemon = try RunningDaemon(log: slave)
    try checkThatItServes(daemon)
    #expect(fcntl(slave, F_GETFL) & O_NONBLOCK == 0, "the terminal belongs to others too")
    try #require(tcflow(slave, TCOON) == 0)
    try reader.expect(Self.report)
    #expect(try daemon.stop() == 0)
  }

  /// With `stty tostop` a terminal stops programs in the background that write to it.
  @Test func `a terminal that wants no output of background jobs does not stop it`() throws {
    var (master, slave): (CInt, CInt) = (-1, -1)
    try #require(unsafe openpty(&master, &slave, nil, nil, nil) == 0)
    defer { for end in [master, slave] { close(end) } }
    for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let folder = try TemporaryFolder()
    let job = "'\(builtProgram("stepperd"))' --user >/dev/null & echo $! >'\(folder.path)/job'; wait"
    let session = try spawn(
      ["/usr/bin/setsid", "--ctty", "/bin/bash", "-c", "set -m; stty tostop; \(job)"],
      descriptors: [slave, slave, slave], environment: RunningDaemon.environment(in: folder))
    defer {
      // Without a number it was not started.
      let job = (try? folder.read("job"))?.filter(\.isNumber)
      if let number = job.flatMap({ pid_t($0) }) { kill(number, SIGKILL) }
      kill(session, SIGKILL)
      _ = waitpid(session, nil, 0)
    }
    let path = "\(folder.path)/stepperd/org.stepperd"
    var client: WireClient?
    #expect(
      Deadline().wait {
        client = try? WireClient(path)
        return client != nil
      })
    for _ in 0..<3 { try client?.call(ManagerInterface.Reload.self, NoParameters()) }
    #expect(try client?.state().value == 0)
  }

  @Test func `a reader that goes away stops nothing`() throws {
    var ends: [CInt] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let daemon = try RunningDaemon(log: ends[1])
    for end in ends { close(end) }
    try checkThatItServes(daemon)
    #expect(try daemon.stop() == 0)
  }

  @Test func `standard streams that are closed are nobody else's`() throws {
    let folder = try TemporaryFolder()
    let script = "exec '\(builtProgram("stepperd"))' --user <&- >&- 2>&-"
    let process = try ChildProcess(
      "/bin/sh", ["-c", script], environment: RunningDaemon.environment(in: folder))
    let socket = "\(folder.path)/stepperd/org.stepperd"
    var client: WireClient?
    // A socket refuses connections for the moment between its name and its first listening.
    #expect(
      Deadline().wait {
        client = try? WireClient(socket); return client != nil
      })
    #expect(try client?.state().value == 0)
    for descriptor in 0...2 {
      let link = "/proc/\(process.processID)/fd/\(descriptor)"
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/null")
    }
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
  }

  @Test func `a service that cannot start ends, though nobody reads why`() throws {
    var ends: [CInt] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let full = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)
    try #require(unsafe write(ends[1], full, full.count) == full.count)
    let folder = try TemporaryFolder()
    let process = try ChildProcess(
      builtProgram("stepperd"), ["--user", "--config", "\(folder.path)/none"],
      environment: RunningDaemon.environment(in: folder), errorOutput: ends[1])
    #expect(try process.waitForExit() == 78)
  }
}
