package import StepperCore

/// Something small that is done at a broker, as a value without I/O and without a clock.
package protocol BrokerTask {
  /// When it is to be called again at the latest; nil: it has not begun, or is over.
  var deadline: Instant? { get }
  /// Something has happened. Returns what is to be done; `stopped` is its end.
  mutating func handle(_ input: MQTTBridgeInput, at now: Instant) -> [MQTTBridgeEffect]
}

/// The connection of a ``BrokerTask``: it connects and subscribes, and ends once.
struct BrokerVisit: Sendable {
  private enum Phase: Hashable {
    case idle
    case connecting(until: Instant)
    case working(until: Instant)
    case over
  }
  private var phase = Phase.idle
  private let filters: [String]
  /// How long the broker may take for the connection and the subscription.
  private let timeout: Duration
  /// Why it could not do its work.
  private(set) var failure: String?

  init(_ filters: [String], timeout: Duration) { (self.filters, self.timeout) = (filters, timeout) }

  var deadline: Instant? {
    switch phase {
    case .idle, .over: nil
    case .connecting(let until), .working(let until): until
    }
  }

  /// nil: the task goes on with this, which is the answer to the subscription or what comes after it.
  mutating func handle(_ input: MQTTBridgeInput, at now: Instant) -> [MQTTBridgeEffect]? {
    switch (phase, input) {
    case (.idle, .start):
      phase = .connecting(until: now + timeout)
      return [.connect(will: MQTTMessage("", []))]
    case (.idle, _), (.over, _): return []
    case (_, .brokerLost(let reason, _)): return end(reason)
    case (.connecting, .accepted): return [.subscribe(filters)]
    case (.connecting, .subscribed), (.working, _): return nil
    case (.connecting(let until), _): return until <= now ? end(MQTTBridge.silence) : []
    }
  }

  /// The task has time until then.
  mutating func work(until: Instant) { phase = .working(until: until) }

  mutating func end(_ failure: String? = nil) -> [MQTTBridgeEffect] {
    self.failure = failure
    phase = .over
    return [.disconnect, .stopped]
  }
}
