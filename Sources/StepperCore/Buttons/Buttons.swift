/// The buttons that drive one control: those that step while they are held, and the knob's own.
struct Buttons: Hashable, Sendable {
  private var holds = Holds()
  private var push = PushRecognizer()
  /// What a detent of a knob is worth: the knob's button may turn it from a step into a page.
  private(set) var detentUnit = StepUnit.step

  var isHolding: Bool { !holds.isEmpty }
  var isPushed: Bool { push.source != nil }
  var pushes: Int64 { push.count }

  // MARK: Time

  var deadline: Instant? { Instant.earliest(holds.deadline, push.deadline) }

  /// What is due at `instant` happens. Returns how many holds repeated.
  mutating func fire(at instant: Instant, on target: inout ControlledValue) -> Int64 {
    var repeats: Int64 = 0
    while let source = holds.source(dueAt: instant) {
      repeatStep(of: source, on: &target)
      repeats += 1
    }
    if push.deadline == instant {
      target.feedback.attribute(to: push.source?.device)
      target.feedback.add(.longPress)
      perform(push.fire(), on: &target)
    }
    return repeats
  }

  mutating func skip(_ duration: Duration) {
    holds.forEach { $0.skip(duration) }
    push.skip(duration)
  }

  // MARK: Presses

  mutating func press(
    _ source: InputSource, _ route: ConnectedDevice.Route, at now: Instant, on target: inout ControlledValue
  ) {
    switch route.action {
    case .step(let direction, let unit):
      let step = StepBinding(
        direction: direction, unit: unit, multiplier: route.multiplier, feedback: route.feedback)
      press(source, step, at: now, on: &target)
    case .reset:
      target.feedback.attribute(to: source.device)
      if target.settings.isEnabled { perform(.reset, on: &target) }
    case .push(let actions):
      guard target.settings.isEnabled, push.press(by: source, actions, at: now) else { return }
      target.feedback.attribute(to: source.device)
      target.feedback.press(source)
      perform(actions.press, on: &target)
    case .rotate, .absolute: break
    }
  }

  private mutating func press(
    _ source: InputSource, _ step: StepBinding, at now: Instant, on target: inout ControlledValue
  ) {
    target.feedback.attribute(to: source.device, step.feedback)
    let feel = target.settings.feel
    guard target.settings.isEnabled, holds.admit(source, feel.secondPress), target.value.units != nil else {
      return
    }
    target.feedback.press(source)
    guard target.canPress(step.direction) else { return target.feedback.add(.limit) }
    let hold = ButtonHold(source, step, feel, at: now)
    holds.begin(hold)
    guard hold.stepsAtPress(feel) else { return }
    target.value.commitShown(at: .press)
    makeStep(of: source, on: &target)
    if feel.snapping == .key { target.value.snap() }
  }

  private mutating func repeatStep(of source: InputSource, on target: inout ControlledValue) {
    guard let hold = holds[source] else { return }
    target.feedback.attribute(to: source.device, hold.step.feedback)
    holds[source]?.fire()
    let isKey = target.settings.feel.snapping == .key
    target.value.commitShown(at: .step)
    if isKey { target.value.snap() }
    makeStep(of: source, on: &target)
    if isKey { target.value.snap() }
  }

  /// One step of a button that is held, and what becomes of the hold at an end.
  private mutating func makeStep(of source: InputSource, on target: inout ControlledValue) {
    guard let hold = holds[source], target.value.units != nil else { return }
    let (step, feel, range) = (hold.step, target.settings.feel, target.value.range)
    let change: BoundedValue.Change?
    if step.unit == .limit {
      change = target.value.goToLimit(step.direction)
    } else {
      let next = holds[source]?.nextSize(feel.climb, in: range) ?? range.step
      let size = range.multiplied(next, by: step.multiplier)
      change = target.value.move(by: step.direction.rawValue, size: size, origin: .device).change
    }
    note(change, on: &target)
    // A hold that pauses at an end does so in silence.
    if change == nil, !hold.hasRepeated || feel.atLimit == .fire { target.feedback.add(.limit) }
    switch feel.atLimit {
    case .pause: break
    case .fire: if change == nil { target.publication.force() }
    case .end: holds[source]?.setSpent(!target.value.canStep(step.direction))
    }
  }

  /// A change of the value, whatever made it, gives feedback as `moment` or as what it is. A hold that can go no
  /// further ends there and then.
  mutating func note(
    _ change: BoundedValue.Change?, as moment: Moment? = nil, on target: inout ControlledValue
  ) {
    guard let change else { return }
    target.feedback.add(change, by: target.value.origin, as: moment)
    guard target.settings.feel.atLimit == .end, target.value.units != nil else { return }
    let value = target.value
    holds.forEach { if !value.canStep($0.step.direction) { $0.setSpent(true) } }
  }

  /// The range or the steps were adjusted.
  mutating func forgetGrowth() { holds.forEach { $0.forgetGrowth() } }

  mutating func stopRepeating() { holds.forEach { $0.stopRepeating() } }

  // MARK: Releases

  /// A button goes up: whatever it held ends.
  mutating func release(_ source: InputSource, on target: inout ControlledValue) {
    target.feedback.release(source)
    if let hold = holds[source] {
      target.feedback.attribute(to: source.device, hold.step.feedback)
      if hold.stepsAtRelease(target.settings.feel) {
        target.value.commitShown(at: .press)
        makeStep(of: source, on: &target)
      }
      holds.release(source, target.settings.feel.secondPress)
    }
    guard push.source == source else { return }
    target.feedback.attribute(to: source.device)
    for action in push.release() { perform(action, on: &target) }
  }

  /// Buttons that cannot be held any more: what they held ends, without the step or the action of a release.
  /// `isLost`: their releases were not read, which some controls do not notice.
  mutating func abandon(
    isLost: Bool = false, on target: inout ControlledValue, where isGone: (InputSource) -> Bool
  ) {
    target.feedback.release(where: isGone)
    holds.abandon(runOn: isLost && target.settings.feel.lostRelease == .runOn, where: isGone)
    if let source = push.source, isGone(source) { perform(push.cancel(), on: &target) }
  }

  // MARK: The knob's own button

  mutating func turn() { push.turn() }

  mutating func modify(with source: InputSource) { push.modify(with: source) }

  private mutating func perform(_ action: PushActions.Action, on target: inout ControlledValue) {
    switch action {
    case .none: break
    case .reset: note(target.set(target.settings.initialValue, origin: .device), as: .reset, on: &target)
    case .toggle(let first, let second): note(target.value.toggle(first, second), on: &target)
    case .pageMode: detentUnit = detentUnit == .page ? .step : .page
    case .set(let number): note(target.value.set(number, origin: .device), on: &target)
    }
  }
}
