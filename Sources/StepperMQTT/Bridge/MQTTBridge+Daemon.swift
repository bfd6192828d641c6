import StepperCore
import StepperInterfaces

/// Messages from the daemon.
extension MQTTBridge {
  /// Whether the daemon has sent its controls since the start.
  var hasControls: Bool { !instance.isEmpty }

  mutating func replied(_ reply: ControlInterface.Subscribe.Reply, _ offset: Int64) {
    ages.realtimeOffset = offset
    if !isDaemonThere || reply.snapshot { for index in remotes.indices { remotes[index].daemonCame() } }
    isDaemonThere = true
    if reply.instance != instance {
      instance = reply.instance
      isInfoDue = true
      for index in controls.indices { controls[index].isDirty = true }
    }
    if reply.snapshot { takeSnapshot(reply) } else { takeChanges(reply.states) }
  }

  private mutating func takeSnapshot(_ reply: ControlInterface.Subscribe.Reply) {
    let states = publishable(reply.states)
    let reserved = reply.states.map(\.control).filter(settings.isReserved)
    if !reserved.isEmpty { effects.append(.report(.reservedNames(reserved))) }
    let before = components
    let known = Dictionary(controls.map { ($0.name, $0) }) { first, _ in first }
    controls = states.map { state in
      guard var control = known[state.control] else { return PublishedControl(state) }
      control.update(state)
      return control
    }
    let names = Set(controls.map(\.name))
    addFormer(known.keys)
    formerControls.subtract(names)
    nextControl = 0
    if let descriptions = reply.descriptions { self.descriptions = descriptions }
    outsideControls = []
    noteOutside(states)
    noteAnnounced(before)
    (isDiscoveryDue, isInfoDue) = (true, true)
    gate.keep(only: names)
    newestTargets = newestTargets.filter { names.contains($0.key) }
    (areTargetsDue, hasMissedTargets) = (areTargetsDue || hasMissedTargets, false)
  }

  /// Continues with new settings.
  mutating func configure(_ new: MQTTBridgeSettings) {
    guard new != settings, new.hasSameTopics(as: settings) else { return }
    noteAnnounced(components)
    settings = new
    (isDiscoveryDue, isInfoDue) = (true, true)
  }

  /// The states of controls that can have topics, each control once, up to the limit of published controls.
  private func publishable(_ states: [ControlInterface.State]) -> [ControlInterface.State] {
    var names: Set<String> = []
    return states.filter {
      names.count < MQTTLimit.controls && Topics.isControl($0.control)
        && !settings.isReserved($0.control)
        && names.insert($0.control).inserted
    }
  }

  /// Marks the topics of these controls to be cleared, unless the controls exist.
  mutating func addFormer(_ names: some Sequence<String>) {
    for name in names where formerControls.count < MQTTLimit.formerControls { formerControls.insert(name) }
  }

  private mutating func takeChanges(_ states: [ControlInterface.State]) {
    for state in states {
      guard let index = index(of: state.control) else { continue }
      controls[index].update(state)
    }
    noteOutside(states)
  }

  /// Notes controls outside of their bounds: Home Assistant drops states that are outside of the announced bounds.
  private mutating func noteOutside(_ states: [ControlInterface.State]) {
    for state in states {
      guard let value = state.value, let description = description(of: state.control),
        value < description.minimum ?? value || value > description.maximum ?? value,
        !settings.advisoryControls.contains(state.control), !outsideControls.contains(state.control)
      else { continue }
      noteAnnounced(components)
      outsideControls.insert(state.control)
      isDiscoveryDue = true
    }
  }

  func description(of control: String) -> ControlInterface.Description? {
    descriptions.first { $0.control == control }
  }

  /// The announced controls, each with its plan.
  var plans: [(ControlInterface.Description, DiscoveryPlan)] {
    descriptions.compactMap { description in
      guard index(of: description.control) != nil else { return nil }
      let isAdvisory =
        settings.advisoryControls.contains(description.control)
        || outsideControls.contains(description.control)
      return (description, settings.plan(of: description, isAdvisory: isAdvisory))
    }
  }

  /// The keys and identities of all components.
  var components: [(key: String, identity: ComponentIdentity)] {
    let plans = plans
    let refusals = DiscoveryPayload.hasRefusals(plans) ? [("", DiscoveryComponent.refusal)] : []
    let all = plans.flatMap { description, plan in plan.components.map { (description.control, $0) } }
    return (all + refusals).map { ($1.key($0), $1.identity($0, settings)) }
  }

  /// Notes announced components. The next announcement removes those that it no longer contains.
  mutating func noteAnnounced(_ components: [(key: String, identity: ComponentIdentity)]) {
    for (key, identity) in components { removedComponents[key] = identity }
  }

  mutating func happened(_ moment: ControlInterface.MomentEvent, at now: Instant) {
    guard isOpen, status == .online, Moments.passedOn.contains(moment.moment),
      index(of: moment.control) != nil
    else { return }
    // A press is published also while the network is slow: its own limit bounds what is on its way.
    let isPress = Moments.presses.contains(moment.moment)
    guard isPress || inFlight < MQTTLimit.inFlight,
      isPress ? pressLimit.take(at: now) : momentLimit.take(at: now)
    else { return }
    let message = MQTTMessage(topics.moment(moment.control), Array(moment.moment.rawValue.utf8))
    effects.append(.publish(message, isAcknowledged: false))
  }
}
