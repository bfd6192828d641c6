internal import StepperCore
internal import StepperLinux
internal import StepperMQTT
internal import StepperProgram

/// Runs a small task at a broker to its end.
struct OneTask {
  let plan: Plan

  /// Returns the task in its final state.
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
  /// The present names of the board, if those of the plan are former ones. Topics that both have are kept.
  var present: MQTTBridgeSettings?
  /// Whether the board waits for the result. Then it takes little time, and spares another board that uses the names now.
  var isLeaving = false

  private static let leavingTime = Duration.seconds(3)

  /// Returns a report as lines.
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
        "the board is published as online; if its bridge still runs, it publishes the topics again: stop it, and run forget again"
      )
    }
    return lines
  }
}
