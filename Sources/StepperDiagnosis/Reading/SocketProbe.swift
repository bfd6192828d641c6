internal import Glibc

/// Whether a program listens at a Unix socket. The connection is closed without a call.
package enum SocketProbe {
  /// Why a socket cannot be used; nil: it can.
  package static func answer(at path: String) -> DaemonFacts.Answer? {
    let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return .failed("no socket can be made") }
    defer { close(descriptor) }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let fits = unsafe withUnsafeMutableBytes(of: &name.sun_path) { place in
      guard bytes.count < place.count else { return false }
      unsafe place.copyBytes(from: bytes)
      return true
    }
    guard fits else { return .failed("the path is too long for a socket") }
    let result = unsafe withUnsafePointer(to: &name) { name in
      unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        unsafe connect(descriptor, name, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result != 0 else { return nil }
    return switch errno {
    case ENOENT, ENOTDIR: .noSocket
    case ECONNREFUSED, ENOTSOCK: .stale
    case EACCES, EPERM: .forbidden
    // Its queue of connections is full.
    case EAGAIN: .silent
    default: .failed("connecting fails with the error \(errno)")
    }
  }
}
