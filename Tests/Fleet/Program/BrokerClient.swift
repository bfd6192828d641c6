internal import StepperCore
internal import StepperLinux
internal import StepperMQTT
internal import SystemPackage

/// A connection to a broker on a loop that thousands share. Whoever has it calls ``collect()`` after each use.
final class BrokerClient {
  private let loop: EventLoop
  private let connection: BrokerConnection
  private var watched: CInt?
  private var waitsForRoom = true

  /// Messages that are read before others have a turn.
  private static let readsPerTurn = 16

  /// `ready` is called when something may have happened.
  init(
    on loop: EventLoop, _ settings: BrokerSettings, will: (topic: String, payload: [UInt8])?,
    from source: String,
    ready: @escaping (_ now: Instant) -> Void
  ) throws {
    self.loop = loop
    connection = try BrokerConnection(settings, will: will)
    connection.connect(from: source)
    guard let descriptor = connection.descriptor else { return }
    // Writable is how it is seen that the connection is there.
    let interest = EventLoop.Readiness(readable: true, writable: true)
    try loop.watch(descriptor, for: interest, priority: .client) { [weak self] readiness, now in
      self?.transfer(readiness)
      ready(now)
    }
    watched = descriptor
  }

  deinit { unwatch() }

  private func unwatch() {
    if let watched { loop.unwatch(watched) }
    watched = nil
  }

  private func transfer(_ readiness: EventLoop.Readiness) {
    if readiness.contains(.writable) { connection.write() }
    guard readiness.contains(.readable) || readiness.isBroken else { return }
    for _ in 0..<Self.readsPerTurn where !connection.read() { return }
  }

  func subscribe(to filters: [String], commands: [String] = []) {
    connection.subscribe(to: filters, commands: commands)
  }

  func publish(_ topic: String, _ payload: [UInt8], isRetained: Bool, isAcknowledged: Bool) {
    connection.publish(topic, payload, isRetained: isRetained, isAcknowledged: isAcknowledged)
  }

  func keepAlive() { connection.keepAlive() }

  /// Closes it without the will.
  func close() {
    unwatch()
    connection.close()
  }

  /// What has happened.
  func collect() -> [BrokerConnection.Event] {
    let events = connection.takeEvents()
    // The library has closed the descriptor, whose number the next connection gets.
    if connection.descriptor != watched { unwatch() }
    guard let watched, connection.wantsToWrite != waitsForRoom else { return events }
    waitsForRoom.toggle()
    loop.change(watched, to: EventLoop.Readiness(readable: true, writable: waitsForRoom))
    return events
  }
}
