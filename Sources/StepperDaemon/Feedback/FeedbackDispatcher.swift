import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperLinux

/// Gives feedback for moments: through the outputs of devices, to subscribers of moments, and through hooks.
///
/// Devices and commands respond to a moment at the end of the wakeup, after clients were notified of changes:
/// feedback never delays a change.
final class FeedbackDispatcher {
  private let world: World
  private let devices: Devices
  private let holds: ClientHolds
  let hooks: Hooks
  let lights: Lights
  /// Moments of this wakeup, each with the state after it.
  private var moments: [(feedback: Feedback, state: ControlState)] = []
  /// The number of ``moments`` that subscribers have received.
  private var notifiedCount = 0
  /// States published in this wakeup.
  private var changed: [ControlState] = []
  /// The last values that hooks were notified of, in the order of the controls in the configuration.
  private var reported: [(control: String, value: FixedPoint?)] = []

  /// There are no hooks before ``configure(at:)``.
  init(
    _ world: World, _ devices: Devices, _ holds: ClientHolds, loop: EventLoop, journal: Journal,
    environment: [String: String]
  ) {
    self.world = world
    self.devices = devices
    self.holds = holds
    lights = Lights(world, devices)
    hooks = Hooks([], loop: loop, journal: journal, environment: environment) { [world] in
      world.details(of: $0)
    }
  }

  /// Applies the configuration in force. Hooks are notified of values that differ from the last reported ones, and of
  /// devices that were added or removed with a reload; other moments caused by the reload are discarded.
  func configure(at now: Instant) {
    hooks.configure(
      world.configurations.flatMap { control in
        control.hooks.map { Hooks.Entry(control: control.settings.name, settings: $0) }
      } + world.configuration.daemon.hooks.map { Hooks.Entry(control: "", settings: $0) }, at: now)
    let former = Dictionary(reported.map { ($0.control, $0.value) }) { first, _ in first }
    reported = world.ids.map { id in
      let name = world.name(of: id)
      return (name, former[name] ?? world.state(of: id).value)
    }
    moments.removeAll { $0.feedback.moment.isOfValue }
    lights.noteAll()
    for id in world.ids where world.configuration(of: id).hooks.contains(where: \.runsAtStart) {
      let state = world.state(of: id)
      hooks.noteStart(event(.change, state, former: state.value, by: state.device), at: now)
    }
  }

  // MARK: Events

  /// Records a published state.
  func note(_ state: ControlState) {
    lights.note(state.control)
    changed.append(state)
  }

  /// Records a moment.
  func note(_ feedback: Feedback) { moments.append((feedback, world.state(of: feedback.control))) }

  /// Records that the whole board became idle or active, the latter by an input of `device`.
  func note(_ occasion: HookOccasion, by device: DeviceNumber? = nil, at now: Instant) {
    guard hooks.listen(to: occasion, of: "") else { return }
    let origin: Origin = occasion == .boardIdle ? .idle : device == nil ? .client : .device
    hooks.note(
      HookEvent(
        control: "", occasion: occasion, origin: origin, limit: .none, sequence: world.sequence,
        device: name(of: device)), at: now)
  }

  /// Passes new moments to their subscribers.
  func notify(_ subscriptions: Subscriptions) {
    defer { notifiedCount = moments.count }
    guard notifiedCount < moments.count, subscriptions.followMoments else { return }
    for (feedback, state) in moments[notifiedCount...] {
      subscriptions.note(event(feedback, state), of: feedback.control, at: feedback.time)
    }
  }

  /// Plays effects, updates lights, starts and ends commands.
  func perform(at now: Instant) {
    dispatch(at: now)
    devices.advanceOutputs(to: now)
    lights.follow()
    hooks.advance(to: now)
  }

  /// Plays the effects of moments, and passes moments and changes to the hooks, as the configuration in force requires.
  /// Starts no command yet.
  func dispatch(at now: Instant) {
    if devices.index.hasOutputs {
      for (feedback, _) in moments { play(feedback) }
    }
    for state in changed {
      let place = state.control.index
      guard world.has(state.control), place < reported.count, reported[place].value != state.value else {
        continue
      }
      let former = reported[place].value
      reported[place].value = state.value
      note(.change, state, former: former, by: state.device, at: now)
    }
    changed.removeAll(keepingCapacity: true)
    for (feedback, state) in moments {
      note(.moment(feedback.moment), state, former: state.value, by: feedback.device, at: now)
    }
    moments.removeAll(keepingCapacity: true)
    notifiedCount = 0
  }

  private func play(_ feedback: Feedback) {
    let effect = effect(of: feedback)
    guard effect != .none else { return }
    devices.play(effect, of: world.entry(of: feedback.control), movedBy: feedback.device)
  }

  private func note(
    _ occasion: HookOccasion, _ state: ControlState, former: FixedPoint?, by device: DeviceNumber?,
    at now: Instant
  ) {
    let entry = world.entry(of: state.control)
    guard !entry.configuration.hooks.isEmpty, hooks.listen(to: occasion, of: world.name(of: entry.id)) else {
      return
    }
    hooks.note(event(occasion, state, former: former, by: device), at: now)
  }

  private func event(
    _ occasion: HookOccasion, _ state: ControlState, former: FixedPoint?, by device: DeviceNumber?
  ) -> HookEvent {
    HookEvent(
      control: world.name(of: state.control), occasion: occasion, value: state.value, previous: former,
      origin: state.origin, limit: state.limit, sequence: state.sequence, device: name(of: device))
  }

  private func name(of device: DeviceNumber?) -> String? { device.flatMap { devices.index[$0]?.name } }

  var deadline: Instant? { hooks.deadline }

  private func effect(of feedback: Feedback) -> FeedbackEffect {
    feedback.effect ?? world.entry(of: feedback.control).configuration.presentation.feedback[feedback.moment]
  }

  // MARK: Messages

  private func event(_ feedback: Feedback, _ state: ControlState) -> ControlInterface.MomentEvent {
    let settings = world.adjustedSettings(of: feedback.control)
    return ControlInterface.MomentEvent(
      control: settings.name, moment: .init(feedback.moment), effect: .init(effect(of: feedback)),
      value: state.value?.doubleValue, text: state.value.map(settings.text),
      speech: world.announcement(of: state),
      device: name(of: feedback.device),
      monotonicMicroseconds: feedback.time.nanoseconds / 1_000, hold: feedback.hold.flatMap(holds.name))
  }
}

extension World {
  /// The placeholders of an event that are determined when a command is started; `speech` is the sentence to speak:
  /// label, value, and the end of the range that the value is at.
  fileprivate func details(of event: HookEvent) -> [String: String?] {
    guard let id = control(named: event.control) else { return [:] }
    let (settings, configuration) = (adjustedSettings(of: id), configuration(of: id))
    var state = state(of: id)
    (state.value, state.limit) = (event.value, event.limit)
    return [
      "text": event.value.map(settings.text), "previous-text": event.previous.map(settings.text),
      "text-title": event.value.map { configuration.title(of: $0, in: settings) },
      "minimum": settings.minimumValue?.description, "maximum": settings.maximumValue?.description,
      "unit": configuration.unit, "title": configuration.title, "speech": announcement(of: state),
    ]
  }
}

extension Moment {
  /// Whether the moment concerns the value, rather than devices, buttons or gestures.
  fileprivate var isOfValue: Bool {
    switch self {
    case .press, .release, .shortPress, .doublePress, .triplePress, .longPress, .connect, .disconnect, .end,
      .idle:
      false
    case .increment, .decrement, .limit, .minimum, .maximum, .wrap, .reset, .set: true
    }
  }
}

extension ControlInterface.Moment {
  init(_ moment: Moment) {
    self =
      switch moment {
      case .shortPress: .shortPress
      case .doublePress: .doublePress
      case .triplePress: .triplePress
      case .longPress: .longPress
      default: Self(rawValue: moment.rawValue)
      }
  }
}

extension ControlInterface.FeedbackEffect {
  init(_ effect: FeedbackEffect) { self = Self(rawValue: effect.rawValue) ?? .light }
}
