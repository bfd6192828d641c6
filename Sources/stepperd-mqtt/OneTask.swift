internal import StepperCore
internal import StepperLinux
internal import StepperMQTT
internal import StepperProgram

/// Runs something small with a broker to its end.
struct OneTask {
  let plan: Plan

  /// Returns the task as it was at its end.
  func run<Task: BrokerTask>(_ task: Task) throws -> Task {
    let loop = try EventLoop()
    let inputs = BridgeInputs()
    inputs.append(.start)
    let broker = try BrokerLink(on: loop, plan.broker, deliver: inputs.append)
    var task = task
    try loop.run { now in
      broker.advance(to: now)
      if let due = task.deadline, due <= now { inputs.append(.time) }
      inputs.drain(broker, at: now) { input in
        for effect in task.handle(input, at: now) {
          broker.perform(effect)
          if effect == .stopped { loop.stop() }
        }
      }
      return [task.deadline, broker.deadline].compactMap(\.self).min()
    }
    return task
  }
}

/// `stepperd-mqtt forget`.
struct Forgetting {
  let plan: Plan
  /// The names that the board has now, if those of the plan are former ones: what it has under both stays.
  var present: MQTTBridgeSettings?
  /// The board waits for it: it does not take long, and spares another board that has taken its names.
  var isLeaving = false

  private static let leavingTime = Duration.seconds(3)

  /// Returns what was done, as lines.
  func run() throws -> [String] {
    let forget = try OneTask(plan: plan).run(
      isLeaving
        ? MQTTForget(plan.bridge, present: present, timeout: Self.leavingTime, sparesOnline: true)
        : MQTTForget(plan.bridge, present: present))
    if let failure = forget.failure { throw ExitFailure(.unavailable, "\(plan.broker.url) \(failure)") }
    var lines = ["\(forget.count) retained topics of \(plan.bridge.id) cleared at \(plan.broker.url)"]
    lines += forget.cleared.sorted().map { "  \($0)" }
    if forget.count == 0 {
      lines.append(
        "the broker has nothing of \(plan.bridge.prefix)/\(plan.bridge.id), or this user may not read it")
    }
    if forget.isBlind {
      lines.append(
        "the broker does not show what it retains to a subscription with wildcards: only the topics of the controls that \(forget.info) names were cleared, and commands that others have retained were not seen"
      )
    }
    if forget.isOnline {
      lines.append(
        "a bridge of this id is published as online; if it still runs it publishes the topics again: stop it, and run forget again"
      )
    }
    return lines
  }
}
