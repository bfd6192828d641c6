package import StepperCore

/// A small task at a broker, as a value without I/O and without a clock.
package protocol BrokerTask {
  /// When the task must be called again at the latest; nil: it has not begun, or is over.
  var deadline: Instant? { get }
  /// Handles an event. Returns what to do; `stopped` is the end of the task.
  mutating func handle(_ input: MQTTBridgeInput, at now: Instant) -> [MQTTBridgeEffect]
}

/// The connection of a ``BrokerTask``: it connects, subscribes, and ends once.
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
  /// Why the task could not do its work.
  private(set) var failure: String?

  init(_ filters: [String], timeout: Duration) { (self.filters, self.timeout) = (filters, timeout) }

  var deadline: Instant? {
    switch phase {
    case .idle, .over: nil
    case .connecting(let until), .working(let until): until
    }
  }

  /// nil: the task itself must handle `input`, which is the answer to the subscription or a later event.
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

  /// Gives the task time until then.
  mutating func work(until: Instant) { phase = .working(until: until) }

  mutating func end(_ failure: String? = nil) -> [MQTTBridgeEffect] {
    self.failure = failure
    phase = .over
    return [.disconnect, .stopped]
  }
}
