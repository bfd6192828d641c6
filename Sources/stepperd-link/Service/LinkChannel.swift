internal import StepperLinux
internal import SystemPackage
internal import Varlink

/// One connection to the daemon on the program's loop.
final class LinkChannel {
  /// Bytes of a reply; the daemon's have at most half as many.
  private static let replyLimit = 2 << 20

  private let loop: EventLoop
  private let replied: (VarlinkReply) -> Void
  /// With the reason.
  private let lost: (String) -> Void
  private var socket: StreamBox?
  private var connection = VarlinkClientConnection(replyLimit: replyLimit)
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  /// A connection that cannot be copied, in an object.
  private final class StreamBox {
    let stream: StreamConnection
    init(_ stream: consuming StreamConnection) { self.stream = stream }
  }

  init(
    on loop: EventLoop, replied: @escaping (VarlinkReply) -> Void, lost: @escaping (String) -> Void
  ) {
    (self.loop, self.replied, self.lost) = (loop, replied, lost)
  }

  var isOpen: Bool { socket != nil }

  /// Connects to the socket at `path`.
  func open(_ path: String) throws(Errno) {
    let box = StreamBox(try StreamConnection(try connectUnixSocket(path)))
    try loop.watch(box.stream.rawDescriptor, priority: .client) { [weak self] readiness, _ in
      self?.ready(readiness)
    }
    connection = VarlinkClientConnection(replyLimit: Self.replyLimit)
    socket = box
  }

  func close() {
    guard let socket else { return }
    loop.unwatch(socket.stream.rawDescriptor)
    self.socket = nil
  }

  func send(_ call: VarlinkCall) {
    connection.send(call)
    flush()
  }

  private func ready(_ readiness: EventLoop.Readiness) {
    do {
      try receive()
    } catch {
      return fail("\(error)")
    }
    flush()
  }

  private func receive() throws {
    guard let socket else { return }
    switch try socket.stream.receive(into: &buffer) {
    case .nothingYet: return
    case .end: return fail("it has closed the connection")
    case .bytes(let count): connection.receive(buffer[..<count])
    }
    while self.socket === socket, let (_, reply) = try connection.nextReply() { replied(reply) }
  }

  private func flush() {
    guard let socket else { return }
    do throws(Errno) {
      let count = try socket.stream.send(connection.output)
      connection.didSend(count)
    } catch {
      return fail("\(error)")
    }
    let hasRest = connection.pendingOutputCount > 0
    loop.change(
      socket.stream.rawDescriptor, to: EventLoop.Readiness(readable: true, writable: hasRest))
  }

  private func fail(_ reason: String) {
    guard isOpen else { return }
    close()
    lost(reason)
  }
}
