import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperSystem

/// Gives feedback for moments: through the outputs of devices, to subscribers of moments, and through hooks.
///
/// Devices and commands respond to a moment at the end of the wakeup, after clients were notified of changes:
/// feedback never delays a change.
final class FeedbackDispatcher {
  private let world: World
  private let devices: Devices
  let hooks: Hooks
  let lights: Lights
  /// Moments of this wakeup, each with the state after it.
  private var moments: [(feedback: Feedback, state: ControlState)] = []
  /// The number of ``moments`` that subscribers have received.
  private var notifiedCount = 0
  /// States published in this wakeup.
  private var changed: [ControlState] = []
  /// The values that hooks were notified of last, by the place of the control in the configuration.
  private var reported: [(control: String, value: FixedPoint?)] = []

  /// Has no hooks before ``configure(at:)``.
  init(
    _ world: World, _ devices: Devices, loop: EventLoop, journal: Journal, environment: [String: String]
  ) {
    self.world = world
    self.devices = devices
    lights = Lights(world, devices)
    hooks = Hooks([], loop: loop, journal: journal, environment: environment) { [unowned world] in
      world.details(of: $0)
    }
  }

  /// Applies the configuration in force. Hooks are notified of values that differ from the last reported ones, and of
  /// devices that were added or removed with a reload; other moments caused by the reload are discarded.
  func configure(at now: Instant) {
    hooks.configure(
      world.configurations.flatMap { control in
        control.hooks.map {
          Hooks.Entry(control: control.settings.name, settings: $0, moments: $0.moments)
        }
      }, at: now)
    let former = Dictionary(reported.map { ($0.control, $0.value) }) { first, _ in first }
    reported = world.ids.map { id in
      let name = world.name(of: id)
      return (name, former[name] ?? world.state(of: id).value)
    }
    moments.removeAll { $0.feedback.moment.isOfValue }
    lights.noteAll()
  }

  // MARK: Events

  /// Records a published state.
  func note(_ state: ControlState) {
    lights.note(state.control)
    changed.append(state)
  }

  /// Records a moment.
  func note(_ feedback: Feedback) { moments.append((feedback, world.state(of: feedback.control))) }

  /// Passes new moments to their subscribers.
  func notify(_ followers: Followers) {
    defer { notifiedCount = moments.count }
    guard notifiedCount < moments.count, followers.followMoments else { return }
    for (feedback, state) in moments[notifiedCount...] { followers.note(event(feedback, state)) }
  }

  /// Plays effects, updates lights, starts and ends commands.
  func perform(at now: Instant) {
    dispatch(at: now)
    devices.advanceOutputs(to: now)
    lights.follow()
    hooks.advance(to: now)
  }

  /// Plays the effects of moments, and passes moments and changes to the hooks, by the configuration in force; starts
  /// no command yet.
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
      note(nil, state, former: former, at: now)
    }
    changed.removeAll(keepingCapacity: true)
    for (feedback, state) in moments { note(feedback.moment, state, former: state.value, at: now) }
    moments.removeAll(keepingCapacity: true)
    notifiedCount = 0
  }

  private func play(_ feedback: Feedback) {
    let effect = effect(of: feedback)
    guard effect != .none else { return }
    devices.play(effect, of: world.entry(of: feedback.control), movedBy: feedback.device)
  }

  private func note(_ moment: Moment?, _ state: ControlState, former: FixedPoint?, at now: Instant) {
    let configuration = world.configuration(of: state.control)
    let control = configuration.settings.name
    guard !configuration.hooks.isEmpty, hooks.listen(to: moment, of: control) else { return }
    hooks.note(
      HookEvent(
        control: control, moment: moment, value: state.value, previous: former, origin: state.origin,
        limit: state.limit, sequence: state.sequence), at: now)
  }

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
      device: feedback.device.flatMap { devices.index[$0]?.name },
      monotonicMicroseconds: feedback.time.nanoseconds / 1_000)
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
      "minimum": settings.minimumValue?.description, "maximum": settings.maximumValue?.description,
      "unit": configuration.unit, "title": configuration.title, "speech": announcement(of: state),
    ]
  }
}

extension Moment {
  /// Whether it concerns the value, rather than devices, buttons or gestures.
  fileprivate var isOfValue: Bool {
    switch self {
    case .press, .release, .shortPress, .doublePress, .triplePress, .longPress, .connect, .disconnect, .end:
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
