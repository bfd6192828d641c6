internal import Varlink

/// One connection to the daemon, used by one thread at a time.
final class ClientConnection {
  private let socket: ClientSocket
  private var framer = VarlinkFramer(limit: 16 << 20)
  /// A call was given up or failed half-way: what comes next belongs to nobody.
  private var isBroken = false

  init(
    to addresses: [StepperAddress], until deadline: SuspendingClock.Instant, orWoken wakeup: Wakeup? = nil
  ) throws(StepperClientError) {
    socket = try ClientSocket(to: addresses, until: deadline, orWoken: wakeup)
  }

  /// Whether a call can be made: the daemon did not hang up, and no earlier call was left unfinished.
  var isUsable: Bool { !isBroken && framer.bufferedCount == 0 && !socket.isStale }

  /// Sends `call` and waits for its only reply.
  func call(
    _ call: VarlinkCall, until deadline: SuspendingClock.Instant, orWoken wakeup: Wakeup? = nil
  ) throws(StepperClientError) -> VarlinkReply? {
    isBroken = true
    try send(call, until: deadline, orWoken: wakeup)
    guard let reply = try receive(until: deadline, orWoken: wakeup) else { return nil }
    guard !reply.continues else { throw .protocolViolation("more than one reply to \(call.method)") }
    isBroken = false
    return reply
  }

  /// Sends `call` and waits for nothing.
  func send(
    _ call: VarlinkCall, until deadline: SuspendingClock.Instant, orWoken wakeup: Wakeup? = nil
  ) throws(StepperClientError) {
    try socket.send(call.encoded(), until: deadline, orWoken: wakeup)
  }

  /// The next reply; nil when none came until `deadline`.
  func receive(
    until deadline: SuspendingClock.Instant?, orWoken wakeup: Wakeup? = nil
  ) throws(StepperClientError) -> VarlinkReply? {
    while true {
      if let reply = try nextReply() { return reply }
      guard let bytes = try socket.receive(until: deadline, orWoken: wakeup) else { return nil }
      guard !bytes.isEmpty else { throw .disconnected }
      framer.receive(bytes)
    }
  }

  private func nextReply() throws(StepperClientError) -> VarlinkReply? {
    do {
      return try framer.next().map { message throws(VarlinkMessageError) in
        try VarlinkReply(decoding: message)
      }
    } catch {
      throw .protocolViolation(error.reason)
    }
  }
}
