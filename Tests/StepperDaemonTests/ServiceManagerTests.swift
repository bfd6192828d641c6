import Glibc
import StepperCore
import StepperSystem
import SystemPackage
import TestSupport
import Testing

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
  func expect(_ text: String, within seconds: Double = 10) throws -> String {
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
    reporter.tell("1 client", at: .milliseconds(1_000))
    #expect(reporter.deadline == .milliseconds(2_000))
    _ = manager.takeAll()
    reporter.tell("1 client", at: .milliseconds(2_000))
    #expect(manager.takeAll() == ["STATUS=1 client"])
    #expect(reporter.deadline == nil)
  }

  @Test func `a status that came too soon after another has its time`() throws {
    let folder = try TemporaryFolder()
    let manager = try NotifySocket(at: "\(folder.path)/notify")
    var reporter = StatusReporter(SystemdNotifier(socketPath: "\(folder.path)/notify"))
    reporter.tell("1 client", at: .milliseconds(1_000))
    reporter.tell("2 clients", at: .milliseconds(1_100))
    #expect(manager.takeAll() == ["STATUS=1 client"])
    #expect(reporter.deadline == .milliseconds(2_000))
    reporter.tell("2 clients", at: .milliseconds(2_000))
    #expect(manager.takeAll() == ["STATUS=2 clients"])
  }
}

@Suite(.timeLimit(.minutes(10)))
struct ServiceManagerTests {
  /// The real `stepperd` with a service manager at `notify` in `folder`.
  private func start(in folder: TemporaryFolder, watchdogMicroseconds: Int? = nil) throws -> ChildProcess {
    var environment = RunningDaemon.environment(in: folder)
    environment["NOTIFY_SOCKET"] = "\(folder.path)/notify"
    environment["WATCHDOG_USEC"] = watchdogMicroseconds.map(String.init)
    return try ChildProcess(builtProgram("stepperd"), ["--user"], environment: environment)
  }

  @Test func `the service manager is told again and again that it is alive`() throws {
    let folder = try TemporaryFolder()
    let manager = try NotifySocket(at: "\(folder.path)/notify")
    let process = try start(in: folder, watchdogMicroseconds: 100_000)
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
    try process.expectOutput("cannot tell the service manager")
    _ = try manager.expect("RELOADING=1")
    _ = try manager.expect("READY=1")
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
