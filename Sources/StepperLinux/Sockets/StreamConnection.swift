internal import CLinux
internal import Glibc
package import SystemPackage

/// One accepted connection with non-blocking reads and writes.
package struct StreamConnection: ~Copyable {
  private let descriptor: OwnedFileDescriptor
  package let peer: PeerCredentials

  package var rawDescriptor: CInt { descriptor.rawValue }

  package init(_ descriptor: consuming OwnedFileDescriptor) throws(Errno) {
    let peer = try PeerCredentials(of: descriptor.rawValue)
    self.init(descriptor: descriptor, peer: peer)
  }

  /// Sets the kernel's send buffer, in bytes. It should be small, because its content is outdated for a slow reader.
  package func setSendBufferSize(_ size: CInt) throws(Errno) {
    var size = size
    let length = socklen_t(MemoryLayout<CInt>.size)
    try Errno.check(unsafe setsockopt(descriptor.rawValue, SOL_SOCKET, SO_SNDBUF, &size, length))
  }

  private init(descriptor: consuming OwnedFileDescriptor, peer: PeerCredentials) {
    self.descriptor = descriptor
    self.peer = peer
  }

  /// Receives at most as many bytes as `buffer` has. `.end` means that the client has closed its sending side; it may
  /// still read.
  package func receive(into buffer: inout [UInt8]) throws(Errno) -> Transfer {
    let count = unsafe buffer.withUnsafeMutableBytes { buffer in
      unsafe recv(descriptor.rawValue, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
    }
    if count > 0 { return .bytes(count) }
    if count == 0 { return .end }
    return try Self.orNothing(.later)
  }

  /// Sends `bytes` and returns how many the kernel accepted; 0 if it accepts none at present.
  package func send(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int {
    guard !bytes.isEmpty else { return 0 }
    let count = unsafe bytes.withUnsafeBytes { buffer in
      let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
      return unsafe Glibc.send(descriptor.rawValue, buffer.baseAddress, buffer.count, flags)
    }
    return count >= 0 ? count : try Self.orNothing(0)
  }

  private static func orNothing<Result>(_ nothing: Result) throws(Errno) -> Result {
    let error = Errno.current
    guard error.isLater else { throw error }
    return nothing
  }
}
