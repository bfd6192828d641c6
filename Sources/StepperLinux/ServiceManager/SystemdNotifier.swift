internal import CLinux
internal import Glibc
package import StepperCore
import StepperText
package import SystemPackage

/// Notifies the service manager of the state of the daemon, as sd_notify(3) does.
///
/// Without a service manager the methods do nothing.
package final class SystemdNotifier: Sendable {
  private let socketPath: String?
  /// Opened once: a process that has run out of descriptors must still notify the watchdog.
  private let sender: OwnedFileDescriptor?
  /// The watchdog interval of the service manager; nil without a watchdog. Send ``Message/watchdog`` at half of it.
  package let watchdogInterval: Duration?
  /// Environment variables that are ignored because of invalid values; one sentence each.
  package let problems: [String]

  /// Whether there is a service manager to notify.
  package var isConnected: Bool { socketPath != nil }

  package enum Message: Hashable, Sendable {
    /// The daemon is ready to serve: sent after the start, and after a reload.
    case ready(status: String? = nil)
    /// A reload begins; `ready` must follow.
    case reloading(at: Instant)
    case stopping
    /// The status that `systemctl status` shows.
    case status(String)
    /// Resets the watchdog.
    case watchdog
  }

  /// Maximum length of the status in bytes. The service manager ignores messages of more than 4096 bytes; the status
  /// is shorter for readability.
  package static let statusLimit = 2_048

  /// Reads the environment, and removes the variables, so that child processes do not notify in place of the daemon.
  package static func take() -> SystemdNotifier {
    let values = takeVariables(["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"])
    return SystemdNotifier(
      socketPath: values[0], watchdogMicroseconds: values[1], watchdogProcessID: values[2],
      ownProcessID: getpid())
  }

  /// Takes the values of `$NOTIFY_SOCKET` (a leading `@` is the abstract namespace), `$WATCHDOG_USEC` and
  /// `$WATCHDOG_PID` (the watched process; any, if absent).
  package init(
    socketPath: String?, watchdogMicroseconds: String? = nil, watchdogProcessID: String? = nil,
    ownProcessID: Int32 = 0
  ) {
    var problems: [String] = []
    self.socketPath = socketPath.flatMap { path in
      guard let reason = Self.problem(ofSocketPath: path) else { return path }
      problems.append("the service manager cannot be notified: NOTIFY_SOCKET \(reason)")
      return nil
    }
    let type = CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    // If this fails, each message opens a socket of its own.
    sender = self.socketPath == nil ? nil : try? OwnedFileDescriptor(socket(AF_UNIX, type, 0))
    let interval = Watchdog.interval(
      microseconds: watchdogMicroseconds, processID: watchdogProcessID, ownProcessID: ownProcessID, &problems)
    watchdogInterval = self.socketPath == nil ? nil : interval
    self.problems = problems
  }

  /// Sends one message without waiting; it is lost if the service manager does not read.
  package func send(_ message: Message) throws(Errno) {
    guard let socketPath else { return }
    let bytes = Array(message.assignments.utf8)
    switch sender {
    case .some(let sender): try Self.send(bytes, to: socketPath, by: sender)
    case .none:
      let type = CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
      try Self.send(bytes, to: socketPath, by: OwnedFileDescriptor(socket(AF_UNIX, type, 0)))
    }
  }

  private static func send(
    _ bytes: [UInt8], to path: String, by sender: borrowing OwnedFileDescriptor
  ) throws(Errno) {
    let (address, length) = address(of: path)
    let descriptor = sender.rawValue
    let sent = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe sendto(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL), generic, length)
      }
    }
    try Errno.check(sent)
  }

  /// The reason why `path` is not a valid address of a service manager; nil if it is.
  private static func problem(ofSocketPath path: String) -> String? {
    guard path.hasPrefix("@") || path.hasPrefix("/") else {
      return "is neither a path nor an abstract name: '\(path.onOneLine(limit: 100))'"
    }
    // A path needs room for its final NUL; an abstract name has none and may use the whole field.
    let room = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - (path.hasPrefix("@") ? 0 : 1)
    let length = path.utf8.count
    return length <= room ? nil : "is \(length) bytes long; a socket's name has at most \(room)"
  }

  private static func address(of path: String) -> (sockaddr_un, socklen_t) {
    var address = sockaddr_un()
    var bytes = Array(path.utf8)
    let isAbstract = bytes.first == UInt8(ascii: "@")
    if isAbstract { bytes[0] = 0 }
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let header = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
    return (address, socklen_t(header + bytes.count + (isAbstract ? 0 : 1)))
  }
}

/// The settings of the service manager's watchdog.
private enum Watchdog {
  /// The accepted intervals in microseconds. Shorter intervals, which would keep the daemon busy, and longer ones are
  /// replaced by these limits.
  static let accepted = UInt64(20_000)...86_400_000_000

  static func interval(
    microseconds: String?, processID: String?, ownProcessID: Int32, _ problems: inout [String]
  ) -> Duration? {
    guard let microseconds else { return nil }
    guard let number = UInt64(microseconds), number > 0 else {
      let found = microseconds.onOneLine(limit: 40)
      problems.append("the watchdog is not served: WATCHDOG_USEC is not a number of microseconds: '\(found)'")
      return nil
    }
    if let processID {
      if let number = Int32(processID) {
        guard number == ownProcessID else { return nil }
      } else {
        let found = processID.onOneLine(limit: 40)
        problems.append("WATCHDOG_PID is not a process ID and is ignored: '\(found)'")
      }
    }
    if number < accepted.lowerBound {
      problems.append("the watchdog's interval of \(number) µs is too short; it is served every 10 ms")
    }
    return .microseconds(Int64(min(max(number, accepted.lowerBound), accepted.upperBound)))
  }
}

extension SystemdNotifier.Message {
  /// The datagram: one assignment per line.
  package var assignments: String {
    switch self {
    case .ready(nil): "READY=1"
    case .ready(let status?): "READY=1\n\(Self.status(status).assignments)"
    case .reloading(let now): "RELOADING=1\nMONOTONIC_USEC=\(now.nanoseconds / 1000)"
    case .stopping: "STOPPING=1"
    case .status(let text): "STATUS=\(text.onOneLine(limit: SystemdNotifier.statusLimit))"
    case .watchdog: "WATCHDOG=1"
    }
  }
}
