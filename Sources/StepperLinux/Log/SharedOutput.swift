internal import Glibc
package import StepperCore
package import SystemPackage

/// Standard output, standard error or another inherited descriptor, written without waiting for a reader.
///
/// `O_NONBLOCK` belongs to the open file description, which is shared with the shell, the service manager and other
/// programs: setting it here would change their reads and writes of the same terminal or pipe. Each type of file is
/// therefore written differently:
/// - a socket, such as the journal's: `MSG_DONTWAIT`, which holds for one call;
/// - a pipe, a FIFO or a terminal: opened again by its name in `/proc`, which yields a separate description with
///   `O_NONBLOCK`;
/// - one of these that cannot be opened again (it belongs to another user, a FIFO has no reader yet, `/proc` is
///   missing): `poll` is called first, which guarantees room for ``atomicSize`` bytes in a pipe;
/// - a regular file or another device: written directly. It has no reader to wait for, and a full disk fails
///   immediately.
package struct SharedOutput: ~Copyable, Sendable {
  /// `PIPE_BUF`: up to this size a pipe accepts a write completely or not at all.
  package static let atomicSize = 4_096

  private enum Method: ~Copyable {
    case socket
    case reopened(OwnedFileDescriptor)
    case polled
    case direct
  }

  private let descriptor: CInt
  private let method: Method

  /// `descriptor` must stay open as long as this value is used; if it is closed already, writes fail.
  package init(_ descriptor: CInt) {
    self.descriptor = descriptor
    method = Self.method(to: descriptor)
  }

  private static func method(to descriptor: CInt) -> Method {
    guard let status = stat(of: descriptor) else { return .direct }
    let type = status.st_mode & S_IFMT
    if type == S_IFSOCK { return .socket }
    guard type == S_IFIFO || (type == S_IFCHR && isatty(descriptor) == 1) else { return .direct }
    let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let result = unsafe open("/proc/self/fd/\(descriptor)", flags)
    return result >= 0 ? .reopened(OwnedFileDescriptor(owning: result)) : .polled
  }

  /// Writes `bytes` and returns how many were accepted; 0 if none are at present. A pipe accepts up to ``atomicSize``
  /// bytes atomically.
  package func write(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int {
    guard !bytes.isEmpty else { return 0 }
    let count: Int
    switch method {
    case .socket:
      let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
      count = unsafe bytes.withUnsafeBytes {
        unsafe send(descriptor, $0.baseAddress, $0.count, flags)
      }
    case .reopened(let own): count = Self.write(bytes, to: own.rawValue)
    case .polled:
      guard isWritable(until: .now) else { return 0 }
      count = Self.write(bytes.prefix(Self.atomicSize), to: descriptor)
    case .direct: count = Self.write(bytes, to: descriptor)
    }
    if count >= 0 { return count }
    let error = Errno.current
    guard error.isLater else { throw error }
    return 0
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: CInt) -> Int {
    unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }

  /// Waits until the output is writable or has failed, at most until `deadline`; nil: without a limit. Only for
  /// programs that serve no clients.
  package func isWritable(until deadline: Instant?) -> Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while true {
      let left = deadline.map { max(0, ($0 - .now).milliseconds) }
      let result = unsafe poll(&wanted, 1, left.map { CInt(clamping: $0) } ?? -1)
      if result >= 0 { return result > 0 }
      guard Errno.current == .interrupted else { return false }
    }
  }
}
