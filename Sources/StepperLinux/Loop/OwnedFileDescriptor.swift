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
