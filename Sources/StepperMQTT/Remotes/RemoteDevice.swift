import StepperClient
import StepperCore
import StepperInterfaces

/// A knob or remote of a radio network. At the daemon, it is a device that this program attaches.
///
/// A held button is released by itself: at its time limit, and when the connection to the broker is lost. The daemon also releases it
/// when this program has not renewed the lease for three seconds.
struct RemoteDevice: Sendable {
  let settings: RemoteSettings
  /// The device is attached when the broker has accepted the subscription, and stays attached.
  var attachment: DeviceAttachment
  private var isDaemonThere = false
  /// When each held key is released.
  private var ends: [String: Instant] = [:]
  private var limit = RateLimit(every: MQTTLimit.commandInterval, burst: MQTTLimit.commandBurst)
  /// The last message that carries a time: an equal one is a repetition.
  private var lastPayload: [UInt8] = []
  /// Actions that were reported as unknown.
  private var unknown: Set<String> = []

  private static let leaseMilliseconds: Int64 = 3_000
  private static let longPress = Duration.seconds(1)
  private static let retryPause = Duration.seconds(10)

  init(_ settings: RemoteSettings) {
    self.settings = settings
    attachment = DeviceAttachment(
      .init(
        identity: .init(provider: "mqtt", name: settings.topic, path: settings.name),
        keys: settings.actions.keys, relative: settings.actions.axes.map { .init(code: $0) },
        leaseMilliseconds: Self.leaseMilliseconds), retryPause: Self.retryPause)
  }

  // MARK: Its messages

  /// The outcome of a message.
  enum Outcome: Hashable { case taken, ignored, tooMany, unknown(action: String) }

  /// Handles a message on the remote's topic. Retained messages are from the past and are ignored.
  mutating func receive(_ message: MQTTMessage, at now: Instant) -> Outcome {
    guard isDaemonThere, !message.isRetained, let read = RemoteMessage.read(message.payload),
      let action = read.action, !action.isEmpty
    else { return .ignored }
    if read.hasTime {
      guard message.payload != lastPayload else { return .ignored }
      lastPayload = message.payload
    }
    guard let meaning = settings.actions.meanings[action] else { return note(unknown: action) }
    guard limit.take(at: now) else { return .tooMany }
    apply(meaning, detents: read.detents(of: settings.actions), at: now)
    return .taken
  }

  private mutating func note(unknown action: String) -> Outcome {
    guard unknown.count < MQTTLimit.unknownActions, unknown.insert(action).inserted else { return .ignored }
    return .unknown(action: action)
  }

  private mutating func apply(_ meaning: RemoteActions.Meaning, detents: Int64, at now: Instant) {
    switch meaning {
    case .turn(let code, let direction): attachment.add(code, direction * detents, at: now)
    case .click(let key, let count):
      release(key, at: now)
      for _ in 0..<count { click(key, at: now) }
    case .hold(let key, let other):
      if let other { release(other, at: now) }
      hold(key, for: settings.holdLimit, at: now)
    case .longPress(let key): hold(key, for: Self.longPress, at: now)
    case .release(let keys, let isClick):
      for key in keys {
        if ends[key] != nil { release(key, at: now) } else if isClick { click(key, at: now) }
      }
    case .repetition: break
    }
  }

  private mutating func click(_ key: String, at now: Instant) {
    attachment.add(key, 1, at: now)
    attachment.add(key, 0, at: now)
  }

  private mutating func hold(_ key: String, for time: Duration, at now: Instant) {
    if ends[key] == nil { attachment.add(key, 1, at: now) }
    ends[key] = now + time
  }

  private mutating func release(_ key: String, at now: Instant) {
    if ends.removeValue(forKey: key) != nil { attachment.add(key, 0, at: now) }
  }

  // MARK: What happens around it

  /// The connection to the broker is lost. Releases held keys, because messages about their release would be lost as well.
  mutating func brokerLost(at now: Instant) {
    for key in ends.keys.sorted() { release(key, at: now) }
  }

  mutating func daemonCame() {
    isDaemonThere = true
    attachment.daemonCame()
  }

  /// Drops what is pending: it is not done later.
  mutating func daemonLost() {
    isDaemonThere = false
    reset()
  }

  /// The daemon no longer has the device.
  mutating func connectionEnded(at now: Instant) { attachment.connectionEnded(at: now) }

  mutating func answered(_ answer: DeviceAttachment.Answer, at now: Instant) {
    if !attachment.answered(answer, at: now) { reset() }
  }

  private mutating func reset() {
    ends = [:]
    attachment.reset()
  }

  /// Releases keys that were held long enough. Returns the call to the daemon that is needed; nil: none.
  mutating func advance(to now: Instant, isHeard: Bool) -> DeviceAttachment.Call? {
    attachment.isWanted = isHeard
    for (key, end) in ends.sorted(by: { $0.key < $1.key }) where end <= now { release(key, at: now) }
    return isDaemonThere ? attachment.nextCall(at: now) : nil
  }

  var deadline: Instant? { isDaemonThere ? .earliest(ends.values.min(), attachment.deadline) : nil }
}
