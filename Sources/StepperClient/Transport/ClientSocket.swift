internal import Glibc

/// A connected Unix socket. No operation waits, and none raises SIGPIPE.
struct ClientSocket: ~Copyable, Sendable {
  /// Why a connection to none of the addresses was possible.
  struct ConnectFailure: Error {
    let error: StepperClientError
    /// The error number of the last attempt.
    let number: CInt

    /// The daemon listens but has no room for a connection at the moment: another attempt may succeed.
    var isTemporary: Bool { number == EAGAIN || number == EINTR }
  }

  private let descriptor: Descriptor
  /// The address to which the socket is connected.
  let address: StepperAddress

  /// The descriptor to poll.
  var rawValue: CInt { descriptor.rawValue }

  /// Connects to the first of `addresses` on which a program listens.
  init(to addresses: [StepperAddress]) throws(ConnectFailure) {
    var attempts: [(address: StepperAddress, error: CInt)] = []
    for address in addresses {
      guard let descriptor = Descriptor(socket(AF_UNIX, unixStream, 0)) else {
        attempts.append((address, errno))
        continue
      }
      let error = Self.connect(descriptor, to: address)
      if error == 0 {
        self.descriptor = descriptor
        self.address = address
        return
      }
      attempts.append((address, error))
      if error == EAGAIN || error == EINTR { break }
    }
    throw ConnectFailure(error: .cannotConnect(attempts), number: attempts.last?.error ?? ENOENT)
  }

  /// Returns 0 or the error number; EAGAIN when the backlog of the listening socket is full.
  private static func connect(_ descriptor: borrowing Descriptor, to address: StepperAddress) -> CInt {
    guard let (name, length) = socketName(of: address) else { return ENAMETOOLONG }
    let result = unsafe withUnsafePointer(to: name) { name in
      unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        unsafe Glibc.connect(descriptor.rawValue, name, length)
      }
    }
    return result == 0 ? 0 : errno
  }

  /// The name with its length, see unix(7); nil if it is too long.
  private static func socketName(of address: StepperAddress) -> (sockaddr_un, socklen_t)? {
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    var path = Array(address.path.utf8)
    if address.isAbstract { path[0] = 0 }
    let fits = unsafe withUnsafeMutableBytes(of: &name.sun_path) { place in
      guard path.count < place.count else { return false }
      unsafe place.copyBytes(from: path)
      return true
    }
    // The length of an abstract name is a part of it.
    let unused = address.isAbstract ? MemoryLayout.size(ofValue: name.sun_path) - path.count : 0
    return fits ? (name, socklen_t(MemoryLayout<sockaddr_un>.size - unused)) : nil
  }

  /// The outcome of one system call.
  enum Transfer<Result> {
    case done(Result)
    /// Nothing can be read or written at the moment.
    case notReady
    case failed(StepperClientError)
  }

  /// Sends the beginning of `bytes`; returns how many bytes were sent.
  func send(_ bytes: ArraySlice<UInt8>) -> Transfer<Int> {
    let count = unsafe bytes.withUnsafeBytes { bytes in
      unsafe Glibc.send(descriptor.rawValue, bytes.baseAddress, bytes.count, noSignal)
    }
    return count >= 0 ? .done(count) : Self.outcome(of: errno)
  }

  /// The bytes that have arrived, at most 64 KiB; the end of the stream is a failure.
  func receive() -> Transfer<[UInt8]> {
    var error: CInt = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      let received = unsafe recv(descriptor.rawValue, buffer.baseAddress, buffer.count, 0)
      if received < 0 { error = errno }
      count = max(0, received)
    }
    guard error == 0 else { return Self.outcome(of: error) }
    return bytes.isEmpty ? .failed(.disconnected) : .done(bytes)
  }

  private static func outcome<Result>(of error: CInt) -> Transfer<Result> {
    error == EAGAIN || error == EINTR ? .notReady : .failed(.disconnected(error))
  }
}

extension StepperAddress {
  /// The error number of an attempt to connect; nil: a program listens. The connection is closed without a call.
  package var connectionError: CInt? {
    do throws(ClientSocket.ConnectFailure) {
      _ = try ClientSocket(to: [self])
      return nil
    } catch {
      return error.number
    }
  }
}
