internal import StepperClient
internal import StepperCore
internal import StepperInterfaces
internal import StepperMQTT

/// `stepperd-mqtt check`: reports what the bridge would do. It publishes two messages, which are not retained, to see whether they come
/// back.
struct Checking {
  let plan: Plan
  let address: String?

  enum Verdict: Int, Comparable {
    /// `silent`: the broker does not deliver what is published.
    case well, silent, unavailable

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// Makes the check. Returns the findings as lines.
  func run() throws -> (lines: [String], verdict: Verdict) {
    let (controls, hasDaemon) = controlLines()
    let (broker, verdict) = try brokerLines()
    return (
      ["id          \(plan.bridge.id)\(plan.isIDDerived ? Self.derived : "")"] + broker + controls,
      max(verdict, hasDaemon ? .well : .unavailable)
    )
  }

  private static let derived =
    ", made from \(BoardID.machineFile): boards with a copy of it have the same id; give each its own, see guides/fleet.md"

  private func brokerLines() throws -> (lines: [String], verdict: Verdict) {
    let probe = try OneTask(plan: plan).run(MQTTProbe(plan.bridge))
    let url = plan.broker.url
    let user = plan.broker.user ?? "a client without a user"
    if let failure = probe.failure { return (["broker      \(url) \(failure)"], .unavailable) }
    var lines: [String] = []
    if !probe.refused.isEmpty {
      lines.append(
        "broker      \(url) does not let \(user) read \(probe.refused.joined(separator: ", ")): allow it")
    }
    lines += probe.unheard.map { topic, reason in
      "broker      \(url) accepts \(user) and does not pass on what it publishes on \(topic)\(reason.map { " (\($0))" } ?? ""): allow it to read and write that"
    }
    guard lines.isEmpty else { return (lines, .silent) }
    return (["broker      \(url) accepts \(user), and passes on what it publishes"], .well)
  }

  private func controlLines() -> (lines: [String], isWell: Bool) {
    let client = StepperClient(address: address, isRestricted: true)
    do throws(StepperClientError) {
      var descriptions: [String: ControlInterface.Description] = [:]
      for pattern in plan.match.isEmpty ? ["*"] : plan.match {
        for control in try client.list(pattern) {
          descriptions[control.description.control] = control.description
        }
      }
      let controls = descriptions.values.sorted { $0.control < $1.control }
      let lines = controls.map(line)
      return (
        lines.isEmpty ? ["control     none matches"] : lines + announcementLines(controls), !lines.isEmpty
      )
    } catch {
      let lines = "\(error)".split(separator: "\n").map(String.init)
      return (["control     not known: \(lines.first ?? "")"] + lines.dropFirst(), false)
    }
  }

  /// A warning if some brokers would not accept the announcement.
  private func announcementLines(_ controls: [ControlInterface.Description]) -> [String] {
    guard plan.bridge.hasDiscovery else { return [] }
    let published = controls.filter { !plan.bridge.isReserved($0.control) }
    let (count, limit) = (plan.bridge.announcementBytes(published), MQTTBridgeSettings.announcementLimit)
    guard count > limit else { return [] }
    return [
      "discovery   the announcement to Home Assistant has \(count) bytes, and some brokers take no more than \(limit), such as AWS IoT Core: publish fewer controls with match, or set discovery = false there"
    ]
  }

  private func line(_ description: ControlInterface.Description) -> String {
    let name = "control     \(description.control)"
    guard !plan.bridge.isReserved(description.control) else {
      return
        "\(name): not published, because \(description.control) is a topic of the board itself; rename it"
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
