import Glibc

/// A Unix socket that blocks.
struct Socket {
  private let descriptor: CInt

  /// Connects to the service at `path`.
  init(connectingTo path: String) throws {
    self = try Socket(at: path, Glibc.connect)
  }

  /// Listens at `path`, where nothing may be.
  init(listeningAt path: String) throws {
    self = try Socket(at: path, Glibc.bind)
    guard listen(descriptor, 16) == 0 else { throw Failure("listen") }
  }

  private init(descriptor: CInt) { self.descriptor = descriptor }

  private init(at path: String, _ use: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt) throws {
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard descriptor >= 0, path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw Failure(path)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        use(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw Failure(path) }
  }

  /// Waits for the next client.
  func accept() throws -> Socket {
    let client = Glibc.accept(descriptor, nil, nil)
    guard client >= 0 else { throw Failure("accept") }
    return Socket(descriptor: client)
  }

  /// Waits for bytes; none at the end.
  func read() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    return Array(buffer.prefix(max(count, 0)))
  }

  /// Writes some of `bytes`, and returns how many; 0 if the other side is gone.
  func write(_ bytes: ArraySlice<UInt8>) -> Int {
    max(bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }, 0)
  }

  func close() { _ = Glibc.close(descriptor) }
}

struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ what: String) { description = what }
}
