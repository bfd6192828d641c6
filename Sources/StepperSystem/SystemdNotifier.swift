internal import CLinux
internal import Glibc
package import StepperCore
package import SystemPackage

/// Tells the service manager how the daemon is, as sd_notify(3) does.
///
/// Without a service manager, all of it does nothing.
package struct SystemdNotifier: Sendable {
  private let socketPath: String?
  /// Whether there is a service manager to tell.
  package var isConnected: Bool { socketPath != nil }
  /// How often the service manager wants to hear ``Message/watchdog`` at least; nil if it does not watch.
  /// Send it at half of this.
  package let watchdogInterval: Duration?

  package enum Message: Hashable, Sendable {
    /// The daemon serves: after the start, and after a reload.
    case ready(status: String? = nil)
    /// A reload begins; `ready` must follow.
    case reloading(at: Instant)
    case stopping
    /// What `systemctl status` shows.
    case status(String)
    /// The daemon is alive.
    case watchdog
  }

  /// From the environment; the variables are removed, so that no child speaks for the daemon.
  package static func take() -> Self {
    let names = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]
    let values = names.map { environmentVariable($0) }
    for name in names { unsafe unsetenv(name) }
    return Self(
      socketPath: values[0], watchdogMicroseconds: values[1], watchdogProcessID: values[2],
      ownProcessID: getpid())
  }

  /// From `$NOTIFY_SOCKET` (`@` at the beginning means the abstract namespace), `$WATCHDOG_USEC` and `$WATCHDOG_PID`
  /// (which process is watched, if not any).
  package init(
    socketPath: String?, watchdogMicroseconds: String? = nil, watchdogProcessID: String? = nil,
    ownProcessID: Int32 = 0
  ) {
    self.socketPath = socketPath
    let isOurs = watchdogProcessID.map { Int32($0) == ownProcessID } ?? true
    let interval = watchdogMicroseconds.flatMap { Int64($0) } ?? 0
    watchdogInterval = isOurs && interval > 0 && socketPath != nil ? .microseconds(interval) : nil
  }

  /// Sends one message. Never waits: a service manager that does not read loses it.
  package func send(_ message: Message) throws(Errno) {
    guard let socketPath else { return }
    let (address, length) = try Self.address(of: socketPath)
    let type = CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let sender = try OwnedFileDescriptor(socket(AF_UNIX, type, 0))
    var text = message.assignments
    let sent = text.withUTF8 { bytes in
      unsafe withUnsafePointer(to: address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
          unsafe sendto(
            sender.rawValue, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL), generic, length)
        }
      }
    }
    guard sent >= 0 else { throw Errno.current }
  }

  private static func address(of path: String) throws(Errno) -> (sockaddr_un, socklen_t) {
    var address = sockaddr_un()
    var bytes = Array(path.utf8)
    let isAbstract = bytes.first == UInt8(ascii: "@")
    guard isAbstract || bytes.first == UInt8(ascii: "/") else { throw .addressFamilyNotSupported }
    // A path must keep its final NUL; an abstract name has none and may use all the room.
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) + (isAbstract ? 1 : 0) else {
      throw .fileNameTooLong
    }
    if isAbstract { bytes[0] = 0 }
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let header = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
    return (address, socklen_t(header + bytes.count + (isAbstract ? 0 : 1)))
  }
}

extension SystemdNotifier.Message {
  /// What goes over the socket: one assignment a line.
  package var assignments: String {
    switch self {
    case .ready(nil): "READY=1"
    case .ready(let status?): "READY=1\nSTATUS=\(status.onOneLine)"
    case .reloading(let now): "RELOADING=1\nMONOTONIC_USEC=\(now.nanoseconds / 1000)"
    case .stopping: "STOPPING=1"
    case .status(let text): "STATUS=\(text.onOneLine)"
    case .watchdog: "WATCHDOG=1"
    }
  }
}

extension String {
  /// A line break would begin another assignment.
  fileprivate var onOneLine: String { split(separator: "\n").joined(separator: "; ") }
}
