internal import StepperCore
internal import StepperLinux
internal import StepperMQTT

/// One board: the program's own state machine and its library, with a simulated daemon. On one thread with all others.
final class Kiosk {
  let id: String
  private let place: Int
  private unowned let fleet: KioskFleet
  private var bridge: MQTTBridge
  private(set) var daemon: SimulatedDaemon
  private var client: BrokerClient?
  /// Which of the brokers it tries next, as with a name of several addresses.
  private var broker: Int
  private var filters: [String] = []
  private var inputs: [MQTTBridgeInput] = []
  private var isWorking = false
  private var keepAlive = Instant.distantFuture
  private var gesture: Gesture?
  /// Since when it has not been online, from the first attempt to connect on.
  private var firstAttempt: Instant?
  private(set) var isOnline = false

  private struct Gesture {
    let control: Int
    let step: Int
    var left: Int
    var next: Instant
  }

  static let gestureDetents = 9
  private static let detentInterval = Duration.milliseconds(60)
  private static let keepAliveInterval = Duration.seconds(20)

  init(_ id: String, at place: Int, of fleet: KioskFleet, _ settings: MQTTBridgeSettings, seed: UInt64) {
    (self.id, self.place, self.fleet, broker) = (id, place, fleet, place)
    bridge = MQTTBridge(settings, seed: seed)
    daemon = SimulatedDaemon(instance: "\(id)-\(seed)")
  }

  func start(at now: Instant) {
    take(.replied(daemon.snapshot, realtimeOffset: fleet.realtimeOffset), at: now)
    take(.start, at: now)
  }

  func stop(at now: Instant) { take(.stop, at: now) }

  /// Turns one of its knobs, a detent at a time.
  func turn(_ control: Int, by step: Int, at now: Instant) {
    guard gesture == nil, daemon.hasRoom(control, for: step * Self.gestureDetents) else { return }
    fleet.gestures += 1
    gesture = Gesture(control: control, step: step, left: Self.gestureDetents, next: now)
    work(at: now)
  }

  /// Does what is due.
  func advance(to now: Instant) {
    if keepAlive <= now {
      client?.keepAlive()
      keepAlive = now + Self.keepAliveInterval
    }
    if let due = bridge.deadline, due <= now { inputs.append(.time) }
    work(at: now)
  }

  private func take(_ input: MQTTBridgeInput, at now: Instant) {
    inputs.append(input)
    work(at: now)
  }

  private func work(at now: Instant) {
    guard !isWorking else { return }
    isWorking = true
    defer { isWorking = false }
    turnOn(at: now)
    repeat {
      while !inputs.isEmpty {
        for effect in bridge.handle(inputs.removeFirst(), at: now) { perform(effect, at: now) }
      }
      collect(at: now)
    } while !inputs.isEmpty
    note(at: now)
    fleet.deadlines[place] = [bridge.deadline, gesture?.next, client == nil ? nil : keepAlive].compactMap(
      \.self
    ).min()
  }

  private func turnOn(at now: Instant) {
    guard var gesture, gesture.next <= now else { return }
    gesture.left -= 1
    gesture.next = now + Self.detentInterval
    fleet.counters.turned += 1
    let reply = daemon.turn(gesture.control, by: gesture.step, isLast: gesture.left == 0, at: now)
    inputs.append(.replied(reply, realtimeOffset: fleet.realtimeOffset))
    self.gesture = gesture.left > 0 ? gesture : nil
    if gesture.left == 0 { fleet.gestures -= 1 }
  }

  private func perform(_ effect: MQTTBridgeEffect, at now: Instant) {
    switch effect {
    case .connect(let will): connect(will, at: now)
    case .disconnect:
      client?.close()
      client = nil
    case .subscribe(let filters, let commands):
      self.filters = commands + filters
      client?.subscribe(to: filters, commands: commands)
    case .publish(let message, let isAcknowledged):
      fleet.counters.published += 1
      client?.publish(
        message.topic, message.payload, isRetained: message.isRetained, isAcknowledged: isAcknowledged)
    case .call(let number, let call):
      let (reply, result) = daemon.apply(call, at: now)
      if let reply { inputs.append(.replied(reply, realtimeOffset: fleet.realtimeOffset)) }
      inputs.append(.answered(number, result))
    case .report(.brokerLost(let reason, _)): fleet.noteLoss(reason)
    case .provide, .keepRevisions, .configure, .report, .stopped: break
    }
  }

  private func connect(_ will: MQTTMessage, at now: Instant) {
    fleet.counters.attempts += 1
    firstAttempt = firstAttempt ?? now
    let address = fleet.brokers[broker % fleet.brokers.count]
    var settings = fleet.certificates.settings(of: address, clientID: id)
    (settings.keepAlive, settings.subscriptionQoS) = (fleet.keepAlive, fleet.qos)
    keepAlive = now + Self.keepAliveInterval
    do {
      client = try BrokerClient(
        on: fleet.loop, settings, will: (will.topic, will.payload), from: fleet.source,
        ready: { [weak self] now in self?.work(at: now) })
    } catch {
      inputs.append(.brokerLost("\(error)"))
    }
  }

  private func collect(at now: Instant) {
    for event in client?.collect() ?? [] {
      switch event {
      case .accepted: inputs.append(.accepted)
      case .subscribed(let granted):
        inputs.append(.subscribed(refused: zip(filters, granted).filter { !$1 }.map(\.0)))
      case .acknowledged: inputs.append(.acknowledged)
      case .received(let topic, let payload, let isRetained):
        fleet.counters.received += 1
        guard let message = MQTTMessage(topic: topic, payload, isRetained: isRetained) else { break }
        inputs.append(.received(message))
      case .lost(let failure):
        client = nil
        broker += 1
        inputs.append(.brokerLost(failure.description))
      }
    }
  }

  private func note(at now: Instant) {
    guard isOnline != bridge.isOnline else { return }
    isOnline.toggle()
    fleet.counters.online += isOnline ? 1 : -1
    guard isOnline, let begin = firstAttempt else { return }
    fleet.connectTimes.append(now - begin)
    firstAttempt = nil
  }
}
