import Glibc
import TestSupport
import Testing

/// The service manager's end of the notification socket.
private final class NotifySocket {
  private let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)

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
}

@Suite(.timeLimit(.minutes(10)))
struct ServiceManagerTests {
  @Test func `the service manager is told that it is ready, alive, reloading and stopping`() throws {
    let folder = try TemporaryFolder()
    let manager = try NotifySocket(at: "\(folder.path)/notify")
    var environment = RunningDaemon.environment(in: folder)
    environment["NOTIFY_SOCKET"] = "\(folder.path)/notify"
    environment["WATCHDOG_USEC"] = "100000"
    let process = try ChildProcess(builtProgram("stepperd"), ["--user"], environment: environment)
    let ready = try manager.expect("READY=1")
    #expect(ready.contains("STATUS=1 device, 1 control, 0 clients"), "\(ready)")
    for _ in 0..<3 { _ = try manager.expect("WATCHDOG=1") }
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
