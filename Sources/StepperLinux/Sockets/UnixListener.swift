internal import CLinux
internal import Glibc
package import SystemPackage

/// A Unix stream socket that accepts connections.
package struct UnixListener: ~Copyable, Sendable {
  private let descriptor: OwnedFileDescriptor
  /// The file of the socket; nil if it has none.
  private let file: SocketFile?
  /// Whether the socket was bound here, so that its file is removed with it.
  private let isOwn: Bool

  package var rawDescriptor: CInt { descriptor.rawValue }

  /// Takes over a socket that is already listening; see ``ListenDescriptors``.
  package init(inheriting descriptor: consuming OwnedFileDescriptor) {
    let file = Self.file(of: descriptor.rawValue)
    self.init(descriptor: descriptor, file: file, isOwn: false)
  }

  /// Binds `path`, and sets the permission bits `mode` and, unless it is nil, the group `group`. If `mode` is nil, neither
  /// is set, and the umask determines the bits.
  ///
  /// A socket that a former process left is removed after a connection to it was refused; other files are unchanged.
  /// Processes that do this concurrently need a lock: ``LockFile``.
  package init(path: String, mode: UInt32?, group: UInt32?) throws(ListenFailure) {
    guard path.utf8.count <= ListenFailure.longestPath else { throw .tooLong(path: path) }
    try Self.makeRoom(at: path)
    do throws(Errno) {
      let descriptor = try OwnedFileDescriptor(Self.streamSocket())
      // No client can connect before `listen`, and the mode is set before that, whatever the umask.
      try Errno.check(unsafe Self.withAddress(path) { unsafe bind(descriptor.rawValue, $0, $1) })
      let file = try SocketFile(path)
      if let mode { try file.permit(mode: mode, group: group) }
      try Errno.check(listen(descriptor.rawValue, Self.backlog))
      self.init(descriptor: descriptor, file: file, isOwn: true)
    } catch {
      throw .failed(FileFailure("listen at", FilePath(path), error))
    }
  }

  /// Length of the queue of pending connections. It is short, because new clients wait behind those in it; `connect`
  /// blocks while it is full.
  private static var backlog: CInt { 128 }

  private init(descriptor: consuming OwnedFileDescriptor, file: SocketFile?, isOwn: Bool) {
    self.descriptor = descriptor
    self.file = file
    self.isOwn = isOwn
  }

  deinit {
    if isOwn { file?.remove() }
  }

  /// The path of the socket; nil if it has no file.
  package var path: String? { file?.path }
  /// Whether the path still leads to this socket.
  package var isInPlace: Bool { file?.isInPlace ?? true }

  /// The next pending connection; nil if there is none.
  ///
  /// The corresponding C function is `accept4`.
  package func accept() throws(Errno) -> OwnedFileDescriptor? {
    let flags = CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    let result = accept4(descriptor.rawValue, nil, nil, flags)
    if result >= 0 { return OwnedFileDescriptor(owning: result) }
    let error = Errno.current
    // The second error is a connection that was aborted before it was accepted.
    guard error.isLater || error == .connectionAbort else { throw error }
    return nil
  }

  // MARK: Binding

  private static func makeRoom(at path: String) throws(ListenFailure) {
    let kind: FileKind?
    var answer: (isAnswered: Bool, process: Int32?) = (false, nil)
    do throws(Errno) {
      kind = try statusWithoutFollowing(path).map { FileKind($0) }
      if kind == .socket { answer = try probe(path) }
    } catch {
      throw .failed(FileFailure("listen at", FilePath(path), error))
    }
    guard let kind else { return }
    guard kind == .socket else { throw .occupied(path: path, by: kind) }
    guard !answer.isAnswered else { throw .inUse(path: path, by: answer.process) }
    guard unsafe unlink(path) == 0 || errno == ENOENT else {
      throw .failed(FileFailure("listen at", FilePath(path)))
    }
  }

  private static func streamSocket() -> CInt {
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    return socket(AF_UNIX, type, 0)
  }

  /// Whether a process listens at a socket, and which one.
  private static func probe(_ path: String) throws(Errno) -> (isAnswered: Bool, process: Int32?) {
    let probe = try OwnedFileDescriptor(streamSocket())
    if unsafe withAddress(path, { unsafe connect(probe.rawValue, $0, $1) }) == 0 {
      let process = try PeerCredentials(of: probe.rawValue).processID
      return (true, process > 0 ? process : nil)
    }
    switch Errno.current {
    case .connectionRefused, .noSuchFileOrDirectory: return (false, nil)
    // The queue is full, or it is a socket of another type: a process uses it.
    case .wouldBlock, .resourceTemporarilyUnavailable, .protocolWrongTypeForSocket: return (true, nil)
    case let error: throw error
    }
  }

  /// The file from the address of a bound socket.
  private static func file(of descriptor: CInt) -> SocketFile? {
    var address = sockaddr_un()
    var size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &size)
      }
    }
    guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
    let path = unsafe withUnsafeBytes(of: address.sun_path) { unsafe $0.prefix { $0 != 0 }.map(\.self) }
    // If the file was removed, there is no identity to compare with.
    return path.isEmpty ? nil : try? SocketFile(String(decoding: path, as: UTF8.self))
  }

  /// Calls `body` with `path`, which must not be too long, as a socket address.
  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    return unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
