import StepperCore
import StepperInterfaces
@testable import StepperMQTT

/// A broker, a daemon and a bridge in virtual time, with delays and losses.
struct World {
  enum Event {
    case input(MQTTBridgeInput, life: Int)
    /// A message of this connection arrives at the broker.
    case published(MQTTMessage, connection: Int, isAcknowledged: Bool)
    case subscribed([String], connection: Int)
    case connected(connection: Int, will: MQTTMessage)
    /// The broker notices that a connection is gone.
    case noticed(connection: Int)
    case called(UInt32, MQTTBridgeCall, life: Int)
  }

  var now = Instant.milliseconds(1_000)
  private var random: Jitter
  private var queue: [(at: Instant, order: Int, event: Event)] = []
  private var order = 0

  // The broker
  var retained: [String: [UInt8]] = [:]
  var isBrokerUp = true
  /// The connection that the broker serves, with its will.
  private var served: (connection: Int, will: MQTTMessage)?
  private var lastConnection = 0
  /// The connection that the bridge uses.
  private var used: Int?
  /// The filters of the connection that is served.
  private var filters: [String] = []

  // The daemon
  var isDaemonUp = true
  var instance = 1
  var values: [String: (value: Double, sequence: Int64)] = [:]
  private var sequence: Int64 = 0

  // The bridge
  var bridge: MQTTBridge?
  private var life = 0
  private var revisions: [String: String] = [:]
  let settings: MQTTBridgeSettings
  /// Whether the broker was killed and came back with an `online` of before: of a board that is dead nobody takes it
  /// away, for its will went with the broker.
  var hasFormerOnline = false
  /// The most results and waiting sets that there were.
  var mostKept = 0

  init(seed: UInt64) {
    random = Jitter(seed: seed)
    var settings = MQTTBridgeSettings(id: "kiosk", name: "Kiosk")
    settings.hasTargets = true
    self.settings = settings
    for name in ["volume", "light", "mute"] { change(name, to: 10) }
    startBridge()
  }

  // MARK: What happens to it

  mutating func turn() {
    guard isDaemonUp, let name = values.keys.sorted().randomElement(using: &random) else { return }
    change(name, to: Double(Int.random(in: 0...100, using: &random)))
  }

  mutating func startBridge() {
    guard bridge == nil else { return }
    life += 1
    bridge = MQTTBridge(settings, seed: random.next(), revisions: revisions)
    give(.start)
    if isDaemonUp { sendSnapshot() }
  }

  mutating func killBridge() {
    guard bridge != nil else { return }
    bridge = nil
    cutConnection()
  }

  mutating func killBroker(keepingRetained: Bool) {
    isBrokerUp = false
    if !keepingRetained { retained = [:] }
    hasFormerOnline = retained["stepperd/kiosk/status"] == Array("online".utf8)
    (served, filters) = (nil, [])
    cutConnection()
  }

  mutating func startBroker() { isBrokerUp = true }

  /// The network is cut: the broker notices much later than the bridge, or much earlier.
  mutating func cutConnection() {
    guard let connection = used else { return }
    used = nil
    later(.input(.brokerLost("cut"), life: life), within: 2_000)
    later(.noticed(connection: connection), within: 20_000)
  }

  mutating func killDaemon() {
    isDaemonUp = false
    later(.input(.daemonLost, life: life), within: 0)
  }

  /// With other values, and perhaps other controls.
  mutating func startDaemon() {
    guard !isDaemonUp else { return }
    isDaemonUp = true
    instance += 1
    for name in ["volume", "light", "mute", "station"] {
      values[name] = nil
      if Int.random(in: 0...3, using: &random) > 0 { change(name, to: 20) }
    }
    sendSnapshot()
  }

  mutating func command() {
    let name = ["volume", "light", "nothing"].randomElement(using: &random) ?? ""
    guard isBrokerUp, let served, served.connection == used else { return }
    let value = Int.random(in: 0...100, using: &random)
    let message = MQTTMessage(
      "stepperd/kiosk/\(name)/set", Array("{\"value\":\(value),\"id\":\(order)}".utf8))
    later(.input(.received(message), life: life), within: 100)
  }

  // MARK: Its laws

  private mutating func change(_ name: String, to value: Double) {
    sequence += 1
    values[name] = (value, sequence)
    later(
      .input(.replied(.change(state(name), instance: "\(instance)"), realtimeOffset: 0), life: life),
      within: 0)
  }

  func state(_ name: String) -> ControlInterface.State {
    .example(name, values[name]?.value, sequence: values[name]?.sequence ?? 0)
  }

  private mutating func sendSnapshot() {
    let controls = values.keys.sorted().map { (ControlInterface.Description.example($0), state($0)) }
    let reply = ControlInterface.Subscribe.Reply.snapshot(controls, instance: "\(instance)")
    later(.input(.replied(reply, realtimeOffset: 0), life: life), within: 0)
  }

  private mutating func later(_ event: Event, within milliseconds: Int64) {
    order += 1
    let delay = Int64.random(in: 0...milliseconds, using: &random)
    // What was sent earlier on a connection does not arrive later.
    queue.append((now + .milliseconds(delay), order, event))
  }

  private mutating func soon(_ event: Event) {
    order += 1
    queue.append((now + .milliseconds(5), order, event))
  }

  mutating func give(_ input: MQTTBridgeInput) {
    guard var bridge else { return }
    let effects = bridge.handle(input, at: now)
    mostKept = max(mostKept, bridge.results.count + bridge.gate.count + bridge.inFlight)
    self.bridge = bridge
    for effect in effects { perform(effect) }
  }

  private mutating func perform(_ effect: MQTTBridgeEffect) {
    switch effect {
    case .connect(let will):
      lastConnection += 1
      used = lastConnection
      soon(.connected(connection: lastConnection, will: will))
    case .disconnect:
      if let used { later(.noticed(connection: used), within: 100) }
      used = nil
    case .subscribe(let filters, let commands):
      if let used { soon(.subscribed(commands + filters, connection: used)) }
    case .publish(let message, let isAcknowledged):
      if let used { soon(.published(message, connection: used, isAcknowledged: isAcknowledged)) }
    case .call(let number, let call): soon(.called(number, call, life: life))
    case .keepRevisions(let revisions): self.revisions = revisions
    case .provide, .configure, .report, .stopped: break
    }
  }

  private mutating func happen(_ event: Event) {
    switch event {
    case .input(let input, let life): if life == self.life { give(input) }
    case .connected(let connection, let will):
      guard connection == used else { return }
      guard isBrokerUp else {
        used = nil
        return give(.brokerLost("refused"))
      }
      // The connection before it is taken over, which publishes its will.
      if let served { retain(served.will) }
      served = (connection, will)
      filters = []
      give(.accepted)
    case .noticed(let connection):
      guard let served, served.connection == connection else { return }
      self.served = nil
      retain(served.will)
    case .subscribed(let filters, let connection):
      guard connection == served?.connection, connection == used else { return }
      self.filters += filters
      give(.subscribed(refused: []))
      for (topic, payload) in retained.sorted(by: { $0.key < $1.key }) where matches(topic, filters) {
        later(.input(.received(MQTTMessage(topic, payload, isRetained: true)), life: life), within: 100)
      }
    case .published(let message, let connection, let isAcknowledged):
      guard connection == served?.connection else { return }
      if message.isRetained { retain(message) }
      guard connection == used else { return }
      if matches(message.topic, filters) {
        give(.received(MQTTMessage(message.topic, message.payload)))
      }
      if isAcknowledged { give(.acknowledged) }
    case .called(let number, let call, let life):
      guard life == self.life else { return }
      guard isDaemonUp else { return give(.answered(number, .failure(.daemonAway))) }
      guard case .set(let name, .number(let value), _) = call, values[name] != nil else {
        return give(.answered(number, .failure(MQTTCallFailure(code: "noSuchControl", message: ""))))
      }
      change(name, to: value)
      give(.answered(number, .success(state(name))))
    }
  }

  private mutating func retain(_ message: MQTTMessage) {
    retained[message.topic] = message.payload.isEmpty ? nil : message.payload
    if message.topic == "stepperd/kiosk/status" { hasFormerOnline = false }
  }

  private func matches(_ topic: String, _ filters: [String]) -> Bool {
    filters.contains { filter in
      let (levels, wanted) = (topic.split(separator: "/"), filter.split(separator: "/"))
      return levels.count == wanted.count && zip(levels, wanted).allSatisfy { $1 == "+" || $0 == $1 }
    }
  }

  /// Lets time pass.
  mutating func pass(_ duration: Duration) {
    let end = now + duration
    while true {
      let index = queue.indices.min { (queue[$0].at, queue[$0].order) < (queue[$1].at, queue[$1].order) }
      let next = index.map { queue[$0].at } ?? .distantFuture
      let deadline = bridge?.deadline ?? .distantFuture
      guard min(next, deadline) <= end else { break }
      now = max(now, min(next, deadline))
      if let index, next <= deadline {
        let event = queue.remove(at: index).event
        happen(event)
      } else {
        give(.time)
      }
    }
    now = end
  }

  /// A random thing happens.
  mutating func disturb() {
    switch Int.random(in: 0...19, using: &random) {
    case 0: killBroker(keepingRetained: Bool.random(using: &random))
    case 1, 2, 3: startBroker()
    case 4: killDaemon()
    case 5, 6, 7: startDaemon()
    case 8: killBridge()
    case 9, 10, 11: startBridge()
    case 12: cutConnection()
    case 13, 14: command()
    default: turn()
    }
    pass(.milliseconds(Int64.random(in: 0...3_000, using: &random)))
  }
}
