internal import StepperClient
internal import StepperCore
internal import StepperInterfaces
internal import StepperMQTT

/// `stepperd-mqtt check`: what would happen, without anything being published.
struct Checking {
  let plan: Plan
  let address: String?

  /// What was found, as lines; and whether all is well.
  func run() throws -> (lines: [String], isWell: Bool) {
    let (controls, hasDaemon) = controlLines()
    let (broker, hasBroker) = try brokerLine()
    return (["id          \(plan.bridge.id)"] + [broker] + controls, hasDaemon && hasBroker)
  }

  private func brokerLine() throws -> (line: String, isWell: Bool) {
    let attempt = Attempt()
    try OneTask(plan: plan).run(deadline: { attempt.deadline }) { attempt.handle($0, at: $1) }
    if let failure = attempt.failure { return ("broker      \(plan.broker.url) \(failure)", false) }
    return ("broker      \(plan.broker.url) accepts \(plan.broker.user ?? "a client without a user")", true)
  }

  /// Connects, and nothing more.
  private final class Attempt {
    private(set) var failure: String?
    private(set) var deadline: Instant?

    func handle(_ input: MQTTBridgeInput, at now: Instant) -> [MQTTBridgeEffect] {
      switch input {
      case .start:
        deadline = now + .seconds(15)
        return [.connect(will: MQTTMessage("", []))]
      case .accepted: return [.disconnect, .stopped]
      case .brokerLost(let reason):
        failure = reason
        return [.stopped]
      case .time where deadline.map { $0 <= now } ?? false:
        failure = MQTTBridge.silence
        return [.disconnect, .stopped]
      default: return []
      }
    }
  }

  private func controlLines() -> (lines: [String], isWell: Bool) {
    let client = StepperClient(address: address)
    do throws(StepperClientError) {
      var descriptions: [String: ControlInterface.Description] = [:]
      for pattern in plan.match.isEmpty ? ["*"] : plan.match {
        for control in try client.list(pattern) {
          descriptions[control.description.control] = control.description
        }
      }
      let lines = descriptions.values.sorted { $0.control < $1.control }.map(line)
      return (lines.isEmpty ? ["control     none matches"] : lines, !lines.isEmpty)
    } catch {
      let lines = "\(error)".split(separator: "\n").map(String.init)
      return (["control     not known: \(lines.first ?? "")"] + lines.dropFirst(), false)
    }
  }

  private func line(_ description: ControlInterface.Description) -> String {
    let name = "control     \(description.control)"
    guard MQTTBridge.canPublish(description.control) else {
      return "\(name): not published, because status and info are topics of the board; rename it"
    }
    let topic = plan.bridge.topic(of: description.control)
    let place = topic.hasSuffix("/\(description.control)") ? "" : ", at \(topic)"
    guard plan.bridge.hasDiscovery else { return name + place }
    let isAdvisory = plan.bridge.advisoryControls.contains(description.control)
    let announced = DiscoveryPlan(description, isAdvisory: isAdvisory)
    let reason = announced.fallback.map { ": \($0)" } ?? ""
    return "\(name)\(place): \(announced.summary) in Home Assistant\(reason)"
  }
}
