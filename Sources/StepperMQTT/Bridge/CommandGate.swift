import StepperCore

/// A command as it came, not read yet.
struct ReceivedCommand: Hashable, Sendable {
  var control: String
  var verb: Topics.Verb
  var topic: String
  var payload: [UInt8]
  /// Whether the broker had it before there was a connection, and sends it again with the next one.
  var isRetained = false

  /// Whether another one asks for the same.
  func isSame(as other: Self) -> Bool {
    topic == other.topic && verb == other.verb && payload == other.payload
  }
}

/// How much of what the network sends may have a consequence: a call, a refusal with its result, a line of the log.
///
/// There is one budget for all of them. A command that comes while there is none waits, if it sets its control to a
/// value: of each control the newest set or reset, and the newest target. Those that wait are next, in the order in which
/// their controls began to wait, so that a busy control keeps no other waiting. Everything else is dropped and counted. A
/// command is read when it is its turn, so that a flood costs no reading.
struct CommandGate: Sendable {
  /// Of a control at most one value and one target wait.
  private struct Place: Hashable, Sendable {
    let control: String
    let isTarget: Bool

    init(_ control: String, isTarget: Bool) { (self.control, self.isTarget) = (control, isTarget) }
    init(_ command: ReceivedCommand) { self.init(command.control, isTarget: command.verb == .target) }
  }
  private struct Waiting: Sendable {
    let order: UInt64
    var command: ReceivedCommand
  }

  private var limit = RateLimit(every: MQTTLimit.commandInterval, burst: MQTTLimit.commandBurst)
  /// Results with the error that a command was dropped.
  private var dropResults = RateLimit(every: .seconds(1), burst: 10)
  private var waiting: [Place: Waiting] = [:]
  private var lastOrder: UInt64 = 0
  /// Commands that were dropped, or replaced by newer ones, since that was reported.
  private var dropped = 0
  /// The topic of the last of them.
  private var lastTopic = ""
  private var nextReport = Instant.distantPast

  /// How many wait.
  var count: Int { waiting.count }
  /// How many targets wait.
  var targetCount: Int { waiting.count { $0.key.isTarget } }
  /// When the next that waits has its turn, if there is room for its call; nil: none waits.
  var next: Instant? { waiting.isEmpty ? nil : limit.next }
  /// When it is to be reported that commands were dropped; nil: none were.
  var reportDue: Instant? { dropped > 0 ? nextReport : nil }

  /// Takes one of the budget; false: there is none.
  mutating func take(at now: Instant) -> Bool { limit.take(at: now) }

  // MARK: What waits

  /// Puts a command in its place, and returns the one that was there.
  mutating func wait(_ command: ReceivedCommand) -> ReceivedCommand? {
    if let former = waiting[Place(command)] {
      waiting[Place(command)]?.command = command
      return former.command
    }
    lastOrder += 1
    waiting[Place(command)] = Waiting(order: lastOrder, command: command)
    return nil
  }

  /// Takes out the next one, and one of the budget; nil: there is none of either.
  mutating func takeNext(at now: Instant) -> ReceivedCommand? {
    guard let first = waiting.min(by: { $0.value.order < $1.value.order }), take(at: now) else { return nil }
    waiting[first.key] = nil
    return first.value.command
  }

  func hasTarget(of control: String) -> Bool { waiting[Place(control, isTarget: true)] != nil }
  mutating func removeTarget(of control: String) { waiting[Place(control, isTarget: true)] = nil }

  /// The connection has ended: only those targets go on to wait that the broker will not send again.
  mutating func forgetBroker() {
    waiting = waiting.filter { $0.key.isTarget && !$0.value.command.isRetained }
  }

  /// Takes out all but targets, in their order.
  mutating func removeValues() -> [ReceivedCommand] {
    let values = waiting.filter { !$0.key.isTarget }
    for place in values.keys { waiting[place] = nil }
    return values.values.sorted { $0.order < $1.order }.map(\.command)
  }

  /// Forgets those of controls that do not exist.
  mutating func keep(only controls: Set<String>) {
    waiting = waiting.filter { controls.contains($0.key.control) }
  }

  // MARK: What is dropped

  /// Counts one, or one that was replaced.
  mutating func drop(_ topic: String) {
    dropped += 1
    lastTopic = topic
  }

  /// Whether the result of one that was dropped may be published.
  mutating func takeDropResult(at now: Instant) -> Bool { dropResults.take(at: now) }

  /// How many were dropped, and the topic of the last one, if that is to be reported now: at once, and then once a minute while
  /// more are dropped.
  mutating func report(at now: Instant) -> (count: Int, lastTopic: String)? {
    guard let due = reportDue, due <= now else { return nil }
    defer { (dropped, nextReport) = (0, now + MQTTLimit.dropReportInterval) }
    return (dropped, lastTopic)
  }
}
