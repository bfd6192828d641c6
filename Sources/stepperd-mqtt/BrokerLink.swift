internal import StepperCore
internal import StepperLinux
internal import StepperMQTT
internal import SystemPackage

/// The connection to the broker on the program's loop.
///
/// Each attempt to connect runs on a thread of its own. The library looks up the broker's name, and a name service may take any time;
/// this must delay neither the end of the program nor its watchdog. During the attempt the connection belongs to that thread, which ends
/// with the attempt. Once connected, there is only one thread.
final class BrokerLink {
  private let loop: EventLoop
  private var settings: BrokerSettings
  private let deliver: (MQTTBridgeInput) -> Void
  private let worker: WorkerThread<BrokerConnection.Outcome>
  /// The connection that the worker uses. It is kept until the worker has ended.
  private var attempt: BrokerConnection?
  /// The will of the attempt. Further connections are made with it as well.
  private var will = MQTTMessage("", [])
  /// Whether the broker has reported that it does not speak MQTT 5.
  private var isOldBroker = false
  /// Whether the result of the attempt is still needed.
  private var isWanted = false
  private var connection: BrokerConnection?
  private var watched: CInt?
  private var filters: [String] = []
  private var nextKeepAlive: Instant?
  /// Short enough for the broker, which waits for one and a half times the keep-alive time.
  private var keepAliveInterval: Duration {
    guard let seconds = connection?.keepAliveSeconds, seconds > 0 else { return .seconds(5) }
    return min(.seconds(5), .seconds(seconds) / 5)
  }
  /// When to look at the connection again even if nothing is ready.
  private var nextLook: Instant?

  private static let negotiationPause = Duration.milliseconds(20)
  /// The most reads of the library before others have a turn. Without TLS each read is one message. With TLS a read ends when no more
  /// data arrives, or at ``receiveLimit``.
  private static let readsPerTurn = 8
  /// The most bytes of messages that are read before others have a turn.
  private static let receiveLimit = 12 << 20

  init(
    on loop: EventLoop, _ settings: BrokerSettings, deliver: @escaping (MQTTBridgeInput) -> Void
  ) throws(Errno) {
    (self.loop, self.settings, self.deliver) = (loop, settings, deliver)
    (self.settings.version, self.settings.receiveLimit) = (.five, Self.receiveLimit)
    worker = try WorkerThread()
    try loop.watch(worker.rawDescriptor, priority: .system) { [weak self] _, now in
      self?.attemptEnded(at: now)
    }
  }

  deinit {
    // The worker still uses the connection: it is leaked until the process ends.
    if worker.isBusy, let attempt { _ = unsafe Unmanaged.passRetained(attempt) }
  }

  /// Whether an attempt to connect has not ended, be it still wanted or not.
  var isConnecting: Bool { worker.isBusy }

  var deadline: Instant? { Instant.earliest(nextKeepAlive, nextLook) }

  // MARK: What the bridge wants

  func perform(_ effect: MQTTBridgeEffect) {
    switch effect {
    case .connect(let will): connect(will)
    case .disconnect: disconnect()
    case .subscribe(let filters, let commands):
      self.filters = commands + filters
      connection?.subscribe(to: filters, commands: commands)
    case .publish(let message, let isAcknowledged):
      connection?.publish(
        message.topic, message.payload, isRetained: message.isRetained, isAcknowledged: isAcknowledged)
    case .call, .provide, .keepRevisions, .configure, .report, .stopped: break
    }
  }

  private func connect(_ will: MQTTMessage) {
    guard !worker.isBusy else {
      // This attempt may have found an address that answers.
      isWanted = attempt?.settings == settings && will == self.will
      if !isWanted { deliver(.brokerLost(MQTTBridge.silence)) }
      return
    }
    self.will = will
    do {
      let attempt = try BrokerConnection(
        settings, will: will.topic.isEmpty ? nil : (will.topic, will.payload))
      try worker.start(attempt.connecting.callAsFunction)
      self.attempt = attempt
      isWanted = true
    } catch {
      deliver(.brokerLost("\(error)"))
    }
  }

  private func attemptEnded(at now: Instant) {
    guard let outcome = worker.takeResult(), let attempt else { return }
    self.attempt = nil
    guard isWanted else { return }
    isWanted = false
    attempt.connected(outcome)
    connection = attempt
    nextKeepAlive = now + keepAliveInterval
    if let descriptor = attempt.descriptor {
      do throws(Errno) {
        try loop.watch(descriptor, priority: .system) { [weak self] readiness, _ in self?.ready(readiness) }
        watched = descriptor
      } catch {
        drop()
        return deliver(.brokerLost("cannot be waited for: \(error)"))
      }
      nextLook = now
    }
    takeEvents()
  }

  private func disconnect() {
    isWanted = false
    connection?.close()
    drop()
  }

  private func drop() {
    if let watched { loop.unwatch(watched) }
    (watched, connection, nextKeepAlive, nextLook) = (nil, nil, nil, nil)
  }

  // MARK: The loop

  private func ready(_ readiness: EventLoop.Readiness) {
    guard let connection else { return }
    if readiness.contains(.readable) || readiness.isBroken { read(connection) }
    if readiness.contains(.writable) { connection.write() }
    takeEvents()
  }

  private func read(_ connection: BrokerConnection) {
    for _ in 0..<Self.readsPerTurn where !connection.read() { return }
    // There may be more data, also in the buffers of TLS, which the descriptor does not show.
    nextLook = loop.now
  }

  /// Does what is due.
  func advance(to now: Instant) {
    guard let connection else { return }
    if let due = nextLook, due <= now {
      nextLook = nil
      read(connection)
      if connection.wantsToWrite { connection.write() }
    }
    if let due = nextKeepAlive, due <= now {
      nextKeepAlive = now + keepAliveInterval
      connection.keepAlive()
    }
    settle(at: now)
  }

  /// Delivers events, and waits for what the library needs next. It reads nothing, so that it ends whatever the broker sends.
  func settle(at now: Instant) {
    takeEvents()
    guard let watched, let connection else { return }
    // During the TLS handshake, the library asks to write even while it waits for the other side.
    let wantsToWrite = connection.wantsToWrite
    if connection.isNegotiating {
      if nextLook == nil { nextLook = now + Self.negotiationPause }
      loop.change(watched, to: .readable)
    } else {
      loop.change(watched, to: EventLoop.Readiness(readable: true, writable: wantsToWrite))
    }
  }

  private func takeEvents() {
    for event in connection?.takeEvents() ?? [] {
      switch event {
      case .accepted:
        nextKeepAlive = loop.now + keepAliveInterval
        deliver(.accepted)
        if !settings.retains { deliver(.unretained) }
        if connection?.hasLongKeepAlive == true { deliver(.longKeepAlive) }
      case .subscribed(let granted):
        deliver(.subscribed(refused: zip(filters, granted).filter { !$1 }.map(\.0)))
      case .acknowledged(let refusal):
        deliver(
          refusal.map { .publicationRefused(topic: $0.topic, reason: $0.reason) } ?? .acknowledged)
      case .received(let topic, let payload, let isRetained):
        guard let message = MQTTMessage(topic: topic, payload, isRetained: isRetained) else { break }
        deliver(.received(message))
      case .lost(let failure): lost(failure)
      }
    }
  }

  /// Handles a lost connection. If a broker refuses MQTT 5, or closes the connection without an answer as RabbitMQ does, 3.1.1 is tried
  /// at once; after a refusal, only 3.1.1 is used from then on. If a broker keeps no retained messages, the next connection sends none.
  private func lost(_ failure: BrokerFailure) {
    let (wasAccepted, retained) = (connection?.isAccepted == true, settings.retains)
    drop()
    settings.retains = failure.kind != .retention
    if !settings.retains, retained, !wasAccepted { return connect(will) }
    let isRefused = settings.version == .five && [.version, .unanswered].contains(failure.kind)
    if isRefused, failure.kind == .version { isOldBroker = true }
    settings.version = isRefused || isOldBroker ? .three : .five
    if isRefused { return connect(will) }
    deliver(.brokerLost(failure.description, isTakeover: failure.kind == .takeover))
  }
}
