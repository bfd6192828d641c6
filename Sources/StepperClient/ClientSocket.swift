internal import Glibc

/// A connected Unix socket. Every wait has a deadline or can be woken; SIGPIPE is never raised.
struct ClientSocket: ~Copyable, Sendable {
  private let descriptor: Descriptor

  /// Connects to the first of `addresses` where somebody listens.
  init(
    to addresses: [StepperAddress], until deadline: SuspendingClock.Instant, orWoken wakeup: Wakeup? = nil
  ) throws(StepperClientError) {
    var attempts: [(address: StepperAddress, error: CInt)] = []
    for address in addresses {
      guard let descriptor = Descriptor(socket(AF_UNIX, unixStream, 0)) else {
        attempts.append((address, errno))
        continue
      }
      let error = try Self.connect(descriptor, to: address, until: deadline, orWoken: wakeup)
      if error == 0 {
        self.descriptor = descriptor
        return
      }
      attempts.append((address, error))
    }
    throw .cannotConnect(attempts)
  }

  /// The error number, 0 for success. A Unix socket whose backlog is full says EAGAIN and cannot be waited
  /// for, so that is asked again a little later.
  private static func connect(
    _ descriptor: borrowing Descriptor, to address: StepperAddress, until deadline: SuspendingClock.Instant,
    orWoken wakeup: Wakeup?
  ) throws(StepperClientError) -> CInt {
    guard var name = socketName(of: address) else { return ENAMETOOLONG }
    while true {
      let result = unsafe withUnsafePointer(to: &name) { name in
        unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
          unsafe Glibc.connect(descriptor.rawValue, name, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      if result == 0 { return 0 }
      let error = errno
      guard error == EAGAIN || error == EINTR, SuspendingClock.now < deadline else { return error }
      let again = min(deadline, SuspendingClock.now.advanced(by: .milliseconds(10)))
      let wakeup = if let wakeup { wakeup } else { try Wakeup() }
      if wakeup.isSignalled(until: again) { throw .cancelled }
    }
  }

  private static func socketName(of address: StepperAddress) -> sockaddr_un? {
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    let path = Array(address.path.utf8)
    let fits = unsafe withUnsafeMutableBytes(of: &name.sun_path) { place in
      guard path.count < place.count else { return false }
      unsafe place.copyBytes(from: path)
      return true
    }
    return fits ? name : nil
  }

  /// Sends all of `bytes`.
  func send(
    _ bytes: [UInt8], until deadline: SuspendingClock.Instant, orWoken wakeup: Wakeup? = nil
  ) throws(StepperClientError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.send(descriptor.rawValue, bytes.baseAddress, bytes.count, noSignal)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
        continue
      }
      let error = errno
      guard error == EAGAIN || error == EINTR else { throw .disconnected(error) }
      switch descriptor.wait(for: CInt(POLLOUT), until: deadline, orWoken: wakeup) {
      case .ready: continue
      case .woken: throw .cancelled
      case .timedOut: throw StepperClientError(.timedOut, "the daemon does not take the call")
      }
    }
  }

  /// What has arrived; empty when the peer closed the connection, nil when nothing came until `deadline`.
  func receive(
    until deadline: SuspendingClock.Instant?, orWoken wakeup: Wakeup? = nil
  ) throws(StepperClientError) -> [UInt8]? {
    while true {
      switch descriptor.wait(for: CInt(POLLIN), until: deadline, orWoken: wakeup) {
      case .ready: break
      case .woken: throw .cancelled
      case .timedOut: return nil
      }
      var failure: CInt = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
        let received = unsafe recv(descriptor.rawValue, buffer.baseAddress, buffer.count, 0)
        if received < 0 { failure = errno }
        count = max(0, received)
      }
      switch failure {
      case 0: return bytes
      case EAGAIN, EINTR: continue
      default: throw .disconnected(failure)
      }
    }
  }

  /// Whether the peer closed the connection, or sent what nobody asked for.
  var isStale: Bool {
    var byte: UInt8 = 0
    return unsafe recv(descriptor.rawValue, &byte, 1, CInt(truncatingIfNeeded: MSG_PEEK)) >= 0
      || errno != EAGAIN
  }
}
