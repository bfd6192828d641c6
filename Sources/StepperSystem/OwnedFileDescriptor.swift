internal import Glibc
package import SystemPackage

/// A file descriptor that exactly one value owns; it is closed when that value goes away.
package struct OwnedFileDescriptor: ~Copyable, Sendable {
  package let rawValue: CInt

  /// Takes ownership of the descriptor a system call just returned; throws `errno` if it returned -1.
  package init(_ result: CInt) throws(Errno) {
    guard result >= 0 else { throw Errno(rawValue: errno) }
    rawValue = result
  }

  deinit {
    // Nothing can be done about EIO here, and Linux has released the descriptor anyway.
    _ = close(rawValue)
  }
}
