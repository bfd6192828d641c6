internal import Glibc
package import Varlink

/// The service's end of one connection, moved by hand.
package final class PeerConnection {
  private var descriptor: CInt
  private var framer = VarlinkFramer()

  init(_ descriptor: CInt) { self.descriptor = descriptor }

  deinit { close() }

  /// Hangs up, even while a child that another test just starts still holds a copy.
  package func close() {
    if descriptor >= 0 {
      shutdown(descriptor, CInt(SHUT_RDWR))
      _ = Glibc.close(descriptor)
    }
    descriptor = -1
  }

  /// The next call that is to be answered; nil if the client hung up.
  package func nextCall() throws -> VarlinkCall? {
    while true {
      while let message = try framer.next() {
        let call = try VarlinkCall(decoding: message)
        if call.mode != .oneway { return call }
      }
      try waitUntilReadable(descriptor, for: "a call")
      guard let bytes = receive() else { return nil }
      framer.receive(bytes)
    }
  }

  /// As ``nextCall()``, however long it takes; an error is an end, too.
  package func nextCallUntilClosed() -> VarlinkCall? {
    while true {
      // What a client of the same package sends is Varlink; if not, the test sees the connection closed.
      guard let message = try? framer.next() else {
        guard let bytes = receive() else { return nil }
        framer.receive(bytes)
        continue
      }
      let call = try? VarlinkCall(decoding: message)
      if call?.mode != .oneway { return call }
    }
  }

  /// The parameters of the next call, which must be one of `method`.
  package func expect<Method: VarlinkMethod>(_ method: Method.Type) throws -> Method.Parameters {
    guard let call = try nextCall() else { throw PeerError("the client hung up instead of \(Method.name)") }
    guard call.method == Method.name else { throw PeerError("\(call.method) instead of \(Method.name)") }
    return try call.parameters(of: method)
  }

  /// Waits until the client hangs up.
  package func expectClose() throws {
    if let call = try nextCall() { throw PeerError("\(call.method) instead of hanging up") }
  }

  /// Answers a call of `method`.
  package func reply<Method: VarlinkMethod>(
    _ method: Method.Type, _ results: Method.Reply, continues: Bool = false
  ) throws {
    try send(
      VarlinkReply(parameters: try VarlinkParameters(encoding: results), continues: continues).encoded())
  }

  /// Answers with an error.
  package func fail(_ error: some VarlinkError) throws {
    try send(VarlinkReply(VarlinkFailure(error)).encoded())
  }

  /// Sends `bytes` as they are.
  package func send(_ bytes: some Sequence<UInt8>) throws {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(truncatingIfNeeded: MSG_NOSIGNAL))
      }
      guard count > 0 else { throw PeerError.system("send") }
      rest = rest.dropFirst(count)
    }
  }

  private func receive() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
  }
}
