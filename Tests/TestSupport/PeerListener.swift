internal import Glibc

/// A Unix socket in a directory of its own, at which a test waits for the client.
package final class PeerListener: Sendable {
  /// The socket.
  package let path: String
  private let directory: String
  private let descriptor: CInt

  /// Listens at `path`, else at a new one.
  package init(at path: String? = nil) throws(PeerError) {
    let directory = try Self.newDirectory()
    self.directory = directory
    self.path = path ?? "\(directory)/org.stepperd"
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .system("socket") }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(self.path.utf8)
    unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let result = unsafe withUnsafePointer(to: &name) { name in
      unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        unsafe bind(descriptor, name, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0, listen(descriptor, 16) == 0 else { throw .system("bind \(self.path)") }
  }

  deinit {
    close(descriptor)
    unsafe unlink(path)
    unsafe rmdir(directory)
  }

  /// A new directory under the temporary one.
  package static func newDirectory() throws(PeerError) -> String {
    var template = Array("/tmp/stepperd-test-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw .system("mkdtemp") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The next client.
  package func accept() throws(PeerError) -> PeerConnection {
    try waitUntilReadable(descriptor, for: "a client")
    return PeerConnection(try acceptNow())
  }

  /// The next client, however long it takes; nil when the listener is shut down.
  package func acceptUntilShutdown() -> PeerConnection? {
    // Shut down is the only error a listening socket of this test can have.
    guard let client = try? acceptNow() else { return nil }
    return PeerConnection(client)
  }

  /// Refuses all clients from now on.
  package func shutDown() {
    shutdown(descriptor, CInt(SHUT_RDWR))
  }

  private func acceptNow() throws(PeerError) -> CInt {
    let client = Glibc.accept(descriptor, nil, nil)
    guard client >= 0 else { throw .system("accept") }
    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
    return client
  }
}
