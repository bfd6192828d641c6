import StepperConfiguration
import StepperCore
import StepperSystem
import StepperWire

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
  /// Moments whose effects were not played yet.
  private var pending: [Feedback] = []
  /// The last value that hooks were told of, by control.
  private var told: [ControlID: FixedPoint?] = [:]

  init(
    _ controls: Controls, _ devices: Devices, loop: EventLoop, journal: Journal, environment: [String: String]
  ) {
    self.controls = controls
    self.devices = devices
    lights = Lights(controls, devices)
    hooks = Hooks([], loop: loop, journal: journal, environment: environment)
    configure(at: .now)
  }

  /// The controls are others.
  func configure(at now: Instant) {
    hooks.configure(
      controls.configurations.flatMap { control in
        control.hooks.map {
          Hooks.Entry(control: control.settings.name, settings: $0.settings, moments: $0.moments)
        }
      }, at: now)
    told = Dictionary(uniqueKeysWithValues: controls.ids.map { ($0, controls.state(of: $0).value) })
    pending = []
    lights.noteAll()
  }

  // MARK: What happens

  func published(_ state: ControlState, at now: Instant) {
    lights.note(state.control)
    guard let former = told.updateValue(state.value, forKey: state.control), former != state.value else {
      return
    }
    let control = controls.settings(of: state.control).name
    if hooks.listen(to: nil, of: control) { hooks.note(event(nil, state, former: former), at: now) }
  }

  func felt(_ feedback: Feedback, at now: Instant) {
    if effect(of: feedback) != .none { pending.append(feedback) }
    let state = controls.state(of: feedback.control)
    let control = controls.settings(of: feedback.control).name
    if hooks.listen(to: feedback.moment, of: control) {
      hooks.note(event(feedback.moment, state, former: state.value), at: now)
    }
    guard !feeds.isEmpty else { return }
    let event = momentEvent(feedback, state)
    for feed in feeds.values { feed.note(event) }
  }

  /// Plays, lights and starts what is due.
  func perform(at now: Instant) {
    for feedback in pending {
      let control = controls.configuration(of: feedback.control)
      devices.play(effect(of: feedback), of: control, movedBy: feedback.device)
    }
    pending.removeAll(keepingCapacity: true)
    devices.advanceOutputs(to: now)
    lights.follow()
    hooks.advance(to: now)
  }

  var deadline: Instant? { [devices.outputDeadline, hooks.deadline].compactMap(\.self).min() }

  private func effect(of feedback: Feedback) -> FeedbackEffect {
    feedback.effect ?? controls.configuration(of: feedback.control).presentation.feedback[feedback.moment]
  }

  // MARK: In words

  private func event(_ moment: Moment?, _ state: ControlState, former: FixedPoint?) -> HookEvent {
    let configuration = controls.configuration(of: state.control)
    let settings = controls.settings(of: state.control)
    return HookEvent(
      control: settings.name, moment: moment, value: state.value, text: state.value.map(settings.text),
      previous: former, previousText: former.map(settings.text), origin: state.origin, limit: state.limit,
      minimum: settings.minimumValue, maximum: settings.maximumValue, unit: configuration.unit,
      title: configuration.title, speech: controls.announcement(of: state), sequence: state.sequence)
  }

  private func momentEvent(_ feedback: Feedback, _ state: ControlState) -> ControlInterface.MomentEvent {
    let settings = controls.settings(of: feedback.control)
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

extension ControlInterface.Moment {
  init(_ moment: Moment) {
    self = moment == .longPress ? .longPress : Self(rawValue: moment.rawValue)
  }
}

extension ControlInterface.FeedbackEffect {
  init(_ effect: FeedbackEffect) { self = Self(rawValue: effect.rawValue) ?? .light }
}
