import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperSystem

/// Lets moments be felt: by the outputs of devices, by programs that follow them, and by hooks.
///
/// What devices and commands do for a moment is done at the end of the wakeup, after clients were told what changed:
/// feedback never delays a change.
final class FeedbackDispatcher {
  private unowned let controls: Controls
  private unowned let devices: Devices
  let hooks: Hooks
  let lights: Lights
  private var feeds: [ObjectIdentifier: MomentFeed] = [:]
  /// Moments of this wakeup, each with the state it left behind.
  private var moments: [(feedback: Feedback, state: ControlState)] = []
  /// Controls whose values changed in this wakeup.
  private var changed: [ControlState] = []
  /// The last value that hooks were told of, by the name of the control.
  private var told: [String: FixedPoint?] = [:]

  /// Knows nothing before ``configure(at:)``.
  init(
    _ controls: Controls, _ devices: Devices, loop: EventLoop, journal: Journal, environment: [String: String]
  ) {
    self.controls = controls
    self.devices = devices
    lights = Lights(controls, devices)
    hooks = Hooks([], loop: loop, journal: journal, environment: environment) { [unowned controls] in
      controls.words(of: $0)
    }
  }

  /// The controls are others. Values that differ from what hooks were told, and devices that came and went with the
  /// reload, are told as always; what it did to values is no moment of them.
  func configure(at now: Instant) {
    hooks.configure(
      controls.configurations.flatMap { control in
        control.hooks.map {
          Hooks.Entry(control: control.settings.name, settings: $0.settings, moments: $0.moments)
        }
      }, at: now)
    let known = controls.ids.map { id in
      let name = controls.name(of: id)
      return (name, told[name] ?? controls.state(of: id).value)
    }
    told = Dictionary(known, uniquingKeysWith: { $1 })
    moments.removeAll { $0.feedback.moment.isOfValue }
    lights.noteAll()
  }

  // MARK: What happens

  /// Only remembers: clients come first.
  func published(_ state: ControlState) {
    lights.note(state.control)
    changed.append(state)
  }

  /// Only remembers: clients come first.
  func felt(_ feedback: Feedback) { moments.append((feedback, controls.state(of: feedback.control))) }

  /// Plays, lights, starts and tells what is due. Whether there is something to tell to followers of moments.
  func perform(at now: Instant) -> Bool {
    let hasNews = takeNews(at: now)
    devices.advanceOutputs(to: now)
    lights.follow()
    hooks.advance(to: now)
    return hasNews
  }

  /// Plays what was felt, and notes with hooks and followers what happened, by the controls as they are; starts
  /// nothing yet. Whether there is something to tell to followers of moments.
  @discardableResult
  func takeNews(at now: Instant) -> Bool {
    for (feedback, _) in moments {
      let effect = effect(of: feedback)
      if effect != .none {
        devices.play(effect, of: controls.configuration(of: feedback.control), movedBy: feedback.device)
      }
    }
    noteWithHooks(at: now)
    let hasNews = !feeds.isEmpty && !moments.isEmpty
    if hasNews { noteWithFollowers() }
    moments.removeAll(keepingCapacity: true)
    return hasNews
  }

  private func noteWithHooks(at now: Instant) {
    for state in changed {
      let name = controls.name(of: state.control)
      guard let former = told.updateValue(state.value, forKey: name), former != state.value else { continue }
      note(nil, state, former: former, at: now)
    }
    changed.removeAll(keepingCapacity: true)
    for (feedback, state) in moments { note(feedback.moment, state, former: state.value, at: now) }
  }

  private func note(_ moment: Moment?, _ state: ControlState, former: FixedPoint?, at now: Instant) {
    let control = controls.name(of: state.control)
    guard hooks.listen(to: moment, of: control) else { return }
    hooks.note(
      HookEvent(
        control: control, moment: moment, value: state.value, previous: former, origin: state.origin,
        limit: state.limit, sequence: state.sequence), at: now)
  }

  private func noteWithFollowers() {
    for (feedback, state) in moments {
      let event = momentEvent(feedback, state)
      for feed in feeds.values { feed.note(event) }
    }
  }

  var deadline: Instant? { [devices.outputDeadline, hooks.deadline].compactMap(\.self).min() }

  private func effect(of feedback: Feedback) -> FeedbackEffect {
    feedback.effect ?? controls.configuration(of: feedback.control).presentation.feedback[feedback.moment]
  }

  // MARK: In words

  private func momentEvent(_ feedback: Feedback, _ state: ControlState) -> ControlInterface.MomentEvent {
    let settings = controls.adjustedSettings(of: feedback.control)
    return ControlInterface.MomentEvent(
      control: settings.name, moment: .init(feedback.moment), effect: .init(effect(of: feedback)),
      value: state.value?.doubleValue, text: state.value.map(settings.text),
      speech: controls.announcement(of: state),
      device: feedback.device.flatMap { id in devices.entries.first { $0.id == id }?.name },
      monotonicMicroseconds: feedback.time.nanoseconds / 1_000)
  }

  // MARK: Followers

  var subscriptionCount: Int { feeds.count }
  func add(_ feed: MomentFeed) { feeds[ObjectIdentifier(feed)] = feed }
  func remove(_ feed: MomentFeed) { feeds[ObjectIdentifier(feed)] = nil }
}

extension Controls {
  /// What else there is to say of what happened to a control.
  fileprivate func words(of event: HookEvent) -> HookWords {
    guard let id = control(named: event.control) else { return HookWords() }
    let (settings, configuration) = (adjustedSettings(of: id), configuration(of: id))
    var state = state(of: id)
    (state.value, state.limit) = (event.value, event.limit)
    return HookWords(
      text: event.value.map(settings.text), previousText: event.previous.map(settings.text),
      minimum: settings.minimumValue, maximum: settings.maximumValue, unit: configuration.unit,
      title: configuration.title, speech: announcement(of: state))
  }
}

extension Moment {
  /// Whether it says what became of the value, rather than of devices, buttons and gestures.
  fileprivate var isOfValue: Bool {
    switch self {
    case .press, .release, .longPress, .connect, .disconnect, .end: false
    case .increment, .decrement, .limit, .minimum, .maximum, .wrap, .reset, .set: true
    }
  }
}

extension ControlInterface.Moment {
  init(_ moment: Moment) {
    self = moment == .longPress ? .longPress : Self(rawValue: moment.rawValue)
  }
}

extension ControlInterface.FeedbackEffect {
  init(_ effect: FeedbackEffect) { self = Self(rawValue: effect.rawValue) ?? .light }
}
