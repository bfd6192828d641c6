import Glibc
import StepperCore
import StepperInterfaces
import StepperLinux
import SystemPackage
import TestSupport
import Testing
import Varlink

@testable import StepperDaemon

/// The service manager's end of the notification socket.
private final class NotifySocket {
  private let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)

  init(at path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let result = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw TestFailure("cannot bind \(path): errno \(errno)") }
  }

  deinit { close(descriptor) }

  /// Waits for a message that contains `text`.
  func expect(_ text: String, within seconds: Double = 60) throws -> String {
    let deadline = Deadline(in: seconds)
    var seen: [String] = []
    while deadline.waitForInput(on: descriptor) {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      seen.append(String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self))
      if seen[seen.count - 1].contains(text) { return seen[seen.count - 1] }
    }
    throw TestFailure("never told \(text), only \(seen)")
  }

  /// Everything that waits to be read.
  func takeAll() -> [String] {
    var messages: [String] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0x40 /* MSG_DONTWAIT */)
      guard count > 0 else { return messages }
      messages.append(String(decoding: buffer.prefix(count), as: UTF8.self))
    }
  }
}

/// Leaves the service manager no room for one more message.
private func fillQueue(_ notifier: SystemdNotifier) {
  #expect(throws: Errno.resourceTemporarilyUnavailable) { while true { try notifier.send(.watchdog) } }
}

@MainActor @Suite struct StatusReporterTests {
  @Test func `a status that there was no room for is told later`() throws {
    let folder = try TemporaryFolder()
    let manager = try NotifySocket(at: "\(folder.path)/notify")
    let notifier = SystemdNotifier(socketPath: "\(folder.path)/notify")
    var reporter = StatusReporter(notifier)
    fillQueue(notifier)
    let first = reporter.update("1 client", at: .milliseconds(1_000))
    #expect(first == .lost(.resourceTemporarilyUnavailable))
    #expect(reporter.deadline == .milliseconds(2_000))
    _ = manager.takeAll()
    let second = reporter.update("1 client", at: .milliseconds(2_000))
    #expect(second == .restored)
    #expect(manager.takeAll() == ["STATUS=1 client"])
    #expect(reporter.deadline == nil)
  }

  @Test func `a status that came too soon after another has its time`() throws {
    let folder = try TemporaryFolder()
    let manager = try NotifySocket(at: "\(folder.path)/notify")
    var reporter = StatusReporter(SystemdNotifier(socketPath: "\(folder.path)/notify"))
    _ = reporter.update("1 client", at: .milliseconds(1_000))
    _ = reporter.update("2 clients", at: .milliseconds(1_100))
    #expect(manager.takeAll() == ["STATUS=1 client"])
    #expect(reporter.deadline == .milliseconds(2_000))
    _ = reporter.update("2 clients", at: .milliseconds(2_000))
    #expect(manager.takeAll() == ["STATUS=2 clients"])
  }

  @Test func `a service manager that is not there is tried after ever longer pauses, and told when it is`()
    throws
  {
    let folder = try TemporaryFolder()
    var reporter = StatusReporter(SystemdNotifier(socketPath: "\(folder.path)/notify"))
    let start = Instant.milliseconds(0)
    let ready = reporter.announce(.ready(status: "new"), at: start)
    #expect(ready == .lost(.noSuchFileOrDirectory))
    let reload = [
      reporter.announce(.reloading(at: start), at: start), reporter.announce(.ready(), at: start),
    ]
    #expect(reload == [nil, nil], "said once")
    var attempts: [Instant] = []
    while let due = reporter.deadline, due < .milliseconds(200_000) {
      attempts.append(due)
      let change = reporter.update("1 client", at: due)
      #expect(change == nil)
    }
    let pauses = zip(attempts.dropFirst(), attempts).map { $0 - $1 }
    #expect(pauses.suffix(3) == [.seconds(30), .seconds(30), .seconds(30)] && pauses.count < 12)
    let manager = try NotifySocket(at: "\(folder.path)/notify")
    let change = reporter.update("1 client", at: reporter.deadline ?? start)
    #expect(change == .restored)
    #expect(manager.takeAll() == ["READY=1", "STATUS=1 client"], "to it the daemon has just started")
  }

  @Test func `a sign of life that there was no room for is sent again before the time is over`() throws {
    let folder = try TemporaryFolder()
    let manager = try NotifySocket(at: "\(folder.path)/notify")
    let notifier = SystemdNotifier(socketPath: "\(folder.path)/notify", watchdogMicroseconds: "30000000")
    var reporter = StatusReporter(notifier)
    fillQueue(notifier)
    _ = reporter.update("", at: .milliseconds(0))
    #expect(reporter.deadline == .milliseconds(1_000))
    _ = manager.takeAll()
    _ = reporter.update("", at: .milliseconds(1_000))
    #expect(manager.takeAll() == ["WATCHDOG=1"])
    #expect(reporter.deadline == .milliseconds(16_000))
  }
}

@Suite(.timeLimit(.minutes(10)))
struct ServiceManagerTests {
  /// The real `stepperd` with a service manager at `notify` in `folder`.
  private func start(
    in folder: TemporaryFolder, notify: String? = nil, watchdogMicroseconds: String? = nil,
    adding more: [String: String] = [:]
  ) throws -> ChildProcess {
    var environment = RunningDaemon.environment(in: folder).merging(more) { $1 }
    environment["NOTIFY_SOCKET"] = notify ?? "\(folder.path)/notify"
    environment["WATCHDOG_USEC"] = watchdogMicroseconds
    return try ChildProcess(builtProgram("stepperd"), ["--user"], environment: environment)
  }

  /// A client of a daemon that may not serve yet.
  private func client(in folder: TemporaryFolder) throws -> WireClient {
    let path = "\(folder.path)/stepperd/org.stepperd"
    var client: WireClient?
    _ = Deadline().wait {
      client = try? WireClient(path)
      return client != nil
    }
    return try client ?? WireClient(path)
  }

  @Test func `the service manager is told again and again that it is alive`() throws {
    let folder = try TemporaryFolder()
    let manager = try NotifySocket(at: "\(folder.path)/notify")
    let process = try start(in: folder, watchdogMicroseconds: "100000")
    for _ in 0..<3 { _ = try manager.expect("WATCHDOG=1") }
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
  }

  @Test func `a reload that there was no room to tell of is told later`() throws {
    let folder = try TemporaryFolder()
    let manager = try NotifySocket(at: "\(folder.path)/notify")
    let process = try start(in: folder)
    _ = try manager.expect("READY=1")
    fillQueue(SystemdNotifier(socketPath: "\(folder.path)/notify"))
    process.signal(SIGHUP)
    try process.expectOutput("cannot notify the service manager: Resource temporarily unavailable")
    _ = try manager.expect("RELOADING=1")
    _ = try manager.expect("READY=1")
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
  }

  @Test
  func `a service manager without room is told later that the daemon is ready, and it serves meanwhile`()
    throws
  {
    let folder = try TemporaryFolder()
    let manager = try NotifySocket(at: "\(folder.path)/notify")
    fillQueue(SystemdNotifier(socketPath: "\(folder.path)/notify"))
    let process = try start(in: folder)
    try process.expectOutput("cannot notify the service manager")
    let client = try client(in: folder)
    #expect(try client.state().value == 0)
    _ = try manager.expect("READY=1")
    try process.expectOutput("the service manager is notified again")
    #expect(process.output.split(separator: "cannot notify").count == 2, "said once")
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
  }

  /// The programs beside the daemon are notifying services, too: without this they would be restarted again and again.
  @Test(arguments: [
    ("stepperd-serial", "[serial.x]\nport = \"/dev/none\"\n"),
    ("stepperd-link", "[control.volume]\n[link.x]\ncontrol = \"volume\"\ncommand = [\"true\"]\n"),
    ("stepperd-midi", ""),
    ("stepperd-mqtt", "[mqtt]\nbroker = \"mqtt://127.0.0.1:1\"\n"),
    ("stepperd-web", "listen = [\"127.0.0.1:0\"]\n"),
  ])
  func `a service manager without room is told later that a program is ready`(
    program: String, configuration: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write(configuration, to: "program.toml")
    let manager = try NotifySocket(at: "\(folder.path)/notify")
    fillQueue(SystemdNotifier(socketPath: "\(folder.path)/notify"))
    var environment = RunningDaemon.environment(in: folder)
    environment["NOTIFY_SOCKET"] = "\(folder.path)/notify"
    environment["WATCHDOG_USEC"] = "100000"
    let more = program == "stepperd-web" ? ["--files", TemporaryFolder.path(ofSource: "Web")] : []
    let process = try ChildProcess(
      builtProgram(program), ["--config", "\(folder.path)/program.toml"] + more, environment: environment)
    try process.expectOutput("cannot notify the service manager")
    _ = try manager.expect("READY=1")
    for _ in 0..<3 { _ = try manager.expect("WATCHDOG=1") }
    try process.expectOutput("the service manager is notified again")
    #expect(process.output.split(separator: "cannot notify").count == 2, "said once")
    process.signal(SIGTERM)
    _ = try manager.expect("STOPPING=1")
    #expect(try process.waitForExit() == 0)
  }

  @Test(arguments: [
    "/nonexistent/notify", "relative", "@stepperd-nobody", "/\(String(repeating: "x", count: 200))", "\n<3>",
  ])
  func `a service manager that cannot be reached keeps nothing from being served`(path: String) throws {
    let folder = try TemporaryFolder()
    let process = try start(in: folder, notify: path, watchdogMicroseconds: "\(Int64.max)")
    try process.expectOutput("service manager")
    let client = try client(in: folder)
    try client.call(ManagerInterface.Reload.self, NoParameters())
    #expect(try client.state().value == 0)
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
    #expect(!process.output.contains("\n<3>"))
  }

  @Test(arguments: ["\(Int64.max)", "\(UInt64.max)", "1", "-5", "soon"])
  func `whatever the watchdog's interval is, the daemon serves`(interval: String) throws {
    let folder = try TemporaryFolder()
    let manager = try NotifySocket(at: "\(folder.path)/notify")
    let process = try start(in: folder, watchdogMicroseconds: interval, adding: ["WATCHDOG_PID": "me"])
    _ = try manager.expect("READY=1")
    let client = try WireClient("\(folder.path)/stepperd/org.stepperd")
    #expect(try client.state().value == 0)
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
  }

  @Test func `the status line has the problems that GetStatus names`() throws {
    let folder = try TemporaryFolder()
    let manager = try NotifySocket(at: "\(folder.path)/notify")
    let process = try start(in: folder)
    _ = try manager.expect("READY=1")
    try folder.writeBelow("[control.volume]\nmaximun = 5\n", to: "config/stepperd/stepperd.toml")
    let status = try manager.expect("the configuration on the disk")
    let client = try WireClient("\(folder.path)/stepperd/org.stepperd")
    let problems = try client.call(ManagerInterface.GetStatus.self, NoParameters()).problems
    #expect(problems.count == 1 && status.hasSuffix("; " + problems[0]), "\(status) \(problems)")
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
  }

  @Test func `the service manager is told that it is ready, reloading and stopping`() throws {
    let folder = try TemporaryFolder()
    let manager = try NotifySocket(at: "\(folder.path)/notify")
    let process = try start(in: folder)
    let ready = try manager.expect("READY=1")
    #expect(ready.contains("STATUS=1 device, 1 control, 0 clients"), "\(ready)")
    process.signal(SIGHUP)
    #expect(try manager.expect("RELOADING=1").contains("MONOTONIC_USEC="))
    _ = try manager.expect("READY=1")
    let client = try WireClient("\(folder.path)/stepperd/org.stepperd")
    _ = try client.state()
    _ = try manager.expect("1 client")
    process.signal(SIGTERM)
    _ = try manager.expect("STOPPING=1")
    #expect(try process.waitForExit() == 0)
    #expect(!process.output.contains("Try in a second terminal"), "a service manager reads no greetings")
  }
}
