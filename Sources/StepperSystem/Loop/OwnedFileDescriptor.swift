internal import Glibc
package import SystemPackage

/// A file descriptor that exactly one value owns; it is closed when that value goes away.
package struct OwnedFileDescriptor: ~Copyable, Sendable {
  package let rawValue: CInt

  /// Takes ownership of an open descriptor.
  package init(owning descriptor: CInt) { rawValue = descriptor }

  /// Takes ownership of the descriptor a system call just returned, or throws its error.
  package init(_ result: CInt) throws(Errno) {
    rawValue = try Errno.check(result)
  }

  /// Gives up the ownership: the caller closes it.
  package consuming func release() -> CInt {
    let descriptor = rawValue
    discard self
    return descriptor
  }

  deinit {
    // Nothing can be done about EIO here, and Linux has released the descriptor anyway.
    _ = close(rawValue)
  }
}

extension Errno {
  /// Throws the calling thread's `errno` if `result` is negative.
  @discardableResult
  package static func check(_ result: CInt) throws(Errno) -> CInt {
    guard result >= 0 else { throw Errno.current }
    return result
  }

  /// The calling thread's `errno`; call it right after the system call that failed.
  package static var current: Errno { Errno(rawValue: errno) }
}
