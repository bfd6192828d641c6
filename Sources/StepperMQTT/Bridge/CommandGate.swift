import StepperCore

/// A command as it was received, before it is parsed.
struct ReceivedCommand: Hashable, Sendable {
  var control: String
  var verb: Topics.Verb
  var topic: String
  var payload: [UInt8]
  /// Whether the broker held the command before there was a connection, so that it sends the command again on the next one.
  var isRetained = false

  /// Whether another command asks for the same thing.
  func isSame(as other: Self) -> Bool {
    topic == other.topic && verb == other.verb && payload == other.payload
  }
}

/// Limits how many of the network's messages may have a consequence: a call, a refusal with its result, a line in the log.
///
/// All of them share one budget. A command that arrives when the budget is used up waits, if it sets its control to a value: each control
/// keeps its newest set or reset, and its newest target. Waiting commands go next, in the order in which their controls began to wait, so
/// that a busy control does not delay the others. Every other command is dropped and counted. A command is parsed only when its turn
/// comes, so that a flood costs no parsing.
struct CommandGate: Sendable {
  /// For each control, at most one value and one target wait.
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
  /// Limits the results which report that a command was dropped.
  private var dropResults = RateLimit(every: .seconds(1), burst: 10)
  private var waiting: [Place: Waiting] = [:]
  private var lastOrder: UInt64 = 0
  /// The number of commands that were dropped, or replaced by newer ones, since the last report.
  private var dropped = 0
  /// The topic of the last dropped command.
  private var lastTopic = ""
  private var nextReport = Instant.distantPast

  /// The number of waiting commands.
  var count: Int { waiting.count }
  /// The number of waiting targets.
  var targetCount: Int { waiting.count { $0.key.isTarget } }
  /// When the next waiting command has its turn, if there is room for its call; nil: none waits.
  var next: Instant? { waiting.isEmpty ? nil : limit.next }
  /// When dropped commands are to be reported; nil: none were dropped.
  var reportDue: Instant? { dropped > 0 ? nextReport : nil }

  /// Takes one unit of the budget; false: the budget is used up.
  mutating func take(at now: Instant) -> Bool { limit.take(at: now) }

  // MARK: What waits

  /// Puts a command in its place and returns the command that it replaces.
  mutating func wait(_ command: ReceivedCommand) -> ReceivedCommand? {
    if let former = waiting[Place(command)] {
      waiting[Place(command)]?.command = command
      return former.command
    }
    lastOrder += 1
    waiting[Place(command)] = Waiting(order: lastOrder, command: command)
    return nil
  }

  /// Removes and returns the next command, and takes one unit of the budget; nil: no command waits, or the budget is used up.
  mutating func takeNext(at now: Instant) -> ReceivedCommand? {
    guard let first = waiting.min(by: { $0.value.order < $1.value.order }), take(at: now) else { return nil }
    waiting[first.key] = nil
    return first.value.command
  }

  func hasTarget(of control: String) -> Bool { waiting[Place(control, isTarget: true)] != nil }
  mutating func removeTarget(of control: String) { waiting[Place(control, isTarget: true)] = nil }

  /// The connection has ended: keeps only those waiting targets that the broker will not send again.
  mutating func forgetBroker() {
    waiting = waiting.filter { $0.key.isTarget && !$0.value.command.isRetained }
  }

  /// Removes and returns all waiting commands except targets, in their order.
  mutating func removeValues() -> [ReceivedCommand] {
    let values = waiting.filter { !$0.key.isTarget }
    for place in values.keys { waiting[place] = nil }
    return values.values.sorted { $0.order < $1.order }.map(\.command)
  }

  /// Forgets the commands of controls that do not exist.
  mutating func keep(only controls: Set<String>) {
    waiting = waiting.filter { controls.contains($0.key.control) }
  }

  // MARK: What is dropped

  /// Counts a command that was dropped or replaced.
  mutating func drop(_ topic: String) {
    dropped += 1
    lastTopic = topic
  }

  /// Whether the result of a dropped command may be published.
  mutating func takeDropResult(at now: Instant) -> Bool { dropResults.take(at: now) }

  /// The number of dropped commands and the topic of the last one, if they are to be reported now: at once, and then once a minute while
  /// more are dropped.
  mutating func report(at now: Instant) -> (count: Int, lastTopic: String)? {
    guard let due = reportDue, due <= now else { return nil }
    defer { (dropped, nextReport) = (0, now + MQTTLimit.dropReportInterval) }
    return (dropped, lastTopic)
  }
}
