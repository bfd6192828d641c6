internal import CLinux
internal import Glibc
package import SystemPackage

/// A file descriptor with exactly one owner; it is closed when the value is destroyed.
package struct OwnedFileDescriptor: ~Copyable, Sendable {
  package let rawValue: CInt

  /// Takes ownership of an open descriptor.
  package init(owning descriptor: CInt) { rawValue = descriptor }

  /// Takes ownership of the descriptor that a system call returned, or throws its error.
  package init(_ result: CInt) throws(Errno) {
    rawValue = try Errno.check(result)
  }

  /// Releases the ownership: the caller closes the descriptor.
  package consuming func release() -> CInt {
    let descriptor = rawValue
    discard self
    return descriptor
  }

  deinit {
    // EIO cannot be handled here, and Linux has released the descriptor anyway.
    _ = close(rawValue)
  }
}

/// Two descriptors that are connected: what is written to the second one is read from the first. Both are closed when a
/// program is loaded.
struct DescriptorPair: ~Copyable {
  let reading: OwnedFileDescriptor
  let writing: OwnedFileDescriptor

  /// A pipe from a program, or with `isInput` to a program. The program's end blocks, as programs expect; the other end
  /// does not.
  static func pipe(isInput: Bool = false) throws(Errno) -> DescriptorPair {
    var ends: [CInt] = [-1, -1]
    try Errno.check(unsafe pipe2(&ends, O_CLOEXEC))
    let pair = DescriptorPair(ends)
    try Errno.check(fcntl(isInput ? pair.writing.rawValue : pair.reading.rawValue, F_SETFL, O_NONBLOCK))
    return pair
  }

  /// Two stream sockets that do not block; both can be read and written.
  static func sockets() throws(Errno) -> DescriptorPair {
    var ends: [CInt] = [-1, -1]
    let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    try Errno.check(unsafe socketpair(AF_UNIX, type, 0, &ends))
    return DescriptorPair(ends)
  }

  private init(_ ends: [CInt]) {
    reading = OwnedFileDescriptor(owning: ends[0])
    writing = OwnedFileDescriptor(owning: ends[1])
  }
}

extension Errno {
  /// Throws the calling thread's `errno` if `result` is negative; otherwise returns `result`.
  @discardableResult
  package static func check<Result: SignedInteger>(_ result: Result) throws(Errno) -> Result {
    guard result >= 0 else { throw Errno.current }
    return result
  }

  /// Throws the error of a function that returns it as a negative number; otherwise returns the result.
  @discardableResult
  static func check(status: CInt) throws(Errno) -> CInt {
    guard status >= 0 else { throw Errno(rawValue: -status) }
    return status
  }

  /// The calling thread's `errno`; call it right after the system call that failed.
  package static var current: Errno { Errno(rawValue: errno) }

  /// Whether descriptors, processes or memory have run out, so that a later attempt may succeed.
  var isShortage: Bool {
    [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory, .resourceTemporarilyUnavailable].contains(self)
  }

  /// Whether a non-blocking read or write must just be repeated later.
  package var isLater: Bool { self == .wouldBlock || self == .interrupted }
}

/// The result of a non-blocking read or write.
package enum Transfer: Hashable, Sendable {
  /// This many bytes, at the beginning of the buffer.
  case bytes(Int)
  /// No bytes at present.
  case later
  /// The other side is closed: no more bytes will follow.
  case end
}
