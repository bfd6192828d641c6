internal import CLinux
internal import Glibc
package import SystemPackage

/// Connects to a Unix socket without waiting: that is done at once, or `EAGAIN` where the other side's queue is full.
///
/// The corresponding C functions are `socket` and `connect`.
package func connectUnixSocket(_ path: String) throws(Errno) -> OwnedFileDescriptor {
  let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
  let descriptor = try OwnedFileDescriptor(socket(AF_UNIX, type, 0))
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let bytes = Array(path.utf8)
  let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
    guard bytes.count < place.count else { return false }
    unsafe place.copyBytes(from: bytes)
    return true
  }
  guard fits else { throw .fileNameTooLong }
  let result = unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
      unsafe connect(descriptor.rawValue, generic, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  try Errno.check(result)
  return descriptor
}
