/// The buttons that drive one control: those that step while they are held, and the knob's own button.
struct Buttons: Hashable, Sendable {
  /// Readable by others, to explain the effect of a press.
  private(set) var holds = Holds()
  private var push = PushRecognizer()
  /// The buttons that were pressed through a binding of a layer and are still down; some of them hold nothing.
  private(set) var layeredPresses: [LayeredPress] = []
  /// What one detent of a knob is worth: the knob's button may change it from a step to a page.
  private(set) var detentUnit = StepUnit.step

  var isHolding: Bool { !holds.isEmpty }
  var isHeldByDevice: Bool { holds.all.contains { !$0.source.owner.isClient } }

  /// Whether the control counts the button as down: as a hold, or as the knob's own button.
  func isHeld(_ source: InputSource) -> Bool { push.source == source || holds.place(of: source) != nil }
  var isPushed: Bool { push.source != nil }
  /// The knob's own button that is down.
  var pushSource: InputSource? { push.source }
  var pushes: Int64 { push.count }

  /// The action of a button that is held, or whose presses wait for more presses; nil: neither.
  func action(of source: InputSource) -> Binding.Action? {
    guard let place = holds.place(of: source) else { return push.actions(of: source).map { .push($0) } }
    return .step(holds.all[place].step.direction, holds.all[place].step.unit)
  }

  // MARK: Time

  var deadline: Instant? { Instant.earliest(holds.deadline, push.deadline) }

  /// Applies what is due at `instant`. Returns how many holds repeated.
  mutating func fire(at instant: Instant, on target: inout ControlledValue) -> Int64 {
    var repeats: Int64 = 0
    while let place = holds.place(dueAt: instant) {
      repeatStep(of: place, on: &target)
      repeats += 1
    }
    if push.deadline == instant {
      endSeries(on: &target)
      recognize(push.becomeLong(), on: &target)
    }
    return repeats
  }

  mutating func skip(_ duration: Duration) {
    holds.forEach { $0.skip(duration) }
    push.skip(duration)
  }

  // MARK: Presses

  mutating func press(
    _ source: InputSource, _ route: Route, at now: Instant, on target: inout ControlledValue
  ) {
    if !route.layer.isAlways {
      layeredPresses.removeAll { $0.source == source }
      layeredPresses.append(LayeredPress(source: source, layer: route.layer))
    }
    switch route.action {
    case .step(let direction, let unit):
      let step = StepBinding(
        direction: direction, unit: unit, multiplier: route.multiplier, feedback: route.feedback)
      press(source, step, at: now, on: &target)
    case .reset:
      target.feedback.attribute(to: source.owner)
      if target.rules.settings.isEnabled { perform(.reset, on: &target) }
    case .push(let actions):
      guard target.rules.settings.isEnabled, push.source == nil else { return }
      if !push.continues(source, actions) { endSeries(on: &target) }
      push.press(by: source, actions, at: now)
      target.feedback.attribute(to: source.owner)
      target.feedback.press(source)
      perform(actions.press, on: &target)
    case .rotate, .absolute: break
    }
  }

  private mutating func press(
    _ source: InputSource, _ step: StepBinding, at now: Instant, on target: inout ControlledValue
  ) {
    target.feedback.attribute(to: source.owner, step.feedback)
    let feel = target.rules.feel
    guard target.rules.settings.isEnabled, holds.admit(source, feel.secondPress), target.value.units != nil
    else {
      return
    }
    target.feedback.press(source)
    guard target.canPress(step.direction) else { return target.feedback.add(.limit) }
    let hold = ButtonHold(source, step, feel, at: now)
    let place = holds.begin(hold)
    guard hold.stepsAtPress(feel) else { return }
    target.value.commitShown(at: .press, origin: target.origin)
    makeStep(of: place, on: &target)
    if feel.snapping == .key { target.value.snap(origin: target.origin) }
  }

  private mutating func repeatStep(of place: Int, on target: inout ControlledValue) {
    target.feedback.attribute(to: holds.all[place].source.owner, holds.all[place].step.feedback)
    holds.all[place].fire()
    let isKey = target.rules.feel.snapping == .key
    target.value.commitShown(at: .step, origin: target.origin)
    if isKey { target.value.snap(origin: target.origin) }
    makeStep(of: place, on: &target)
    if isKey { target.value.snap(origin: target.origin) }
  }

  /// Makes one step of a held button, and decides whether the hold continues at an end of the range.
  private mutating func makeStep(of place: Int, on target: inout ControlledValue) {
    guard target.value.units != nil else { return }
    let (step, hasRepeated) = (holds.all[place].step, holds.all[place].hasRepeated)
    // Copies only these: the rules hold all settings of the control.
    let (climb, atLimit, range) = (target.rules.feel.climb, target.rules.feel.atLimit, target.rules.range)
    let change: BoundedValue.Change?
    if step.unit == .limit {
      change = target.value.goToLimit(step.direction, origin: target.origin)
    } else {
      let next = holds.all[place].nextSize(climb, in: range)
      let size = range.multiplied(next, by: step.multiplier)
      change = target.value.move(by: step.direction.rawValue, size: size, origin: target.origin).change
    }
    note(change, on: &target)
    // A hold that pauses at an end gives no feedback when it repeats.
    if change == nil, !hasRepeated || atLimit == .fire { target.feedback.add(.limit) }
    switch atLimit {
    case .pause: break
    case .fire: if change == nil { target.publication.force() }
    case .end: holds.all[place].setSpent(!target.value.canStep(step.direction))
    }
  }

  /// Gives feedback for a change of the value, as `moment` or according to the change. A hold that can go no further
  /// ends immediately.
  mutating func note(
    _ change: BoundedValue.Change?, as moment: Moment? = nil, on target: inout ControlledValue
  ) {
    guard let change else { return }
    target.feedback.add(change, by: target.value.origin, as: moment)
    guard target.rules.feel.atLimit == .end, target.value.units != nil else { return }
    holds.forEach { if !target.value.canStep($0.step.direction) { $0.setSpent(true) } }
  }

  /// Called when the range or the steps were adjusted.
  mutating func forgetGrowth() { holds.forEach { $0.forgetGrowth() } }

  mutating func stopRepeating() { holds.forEach { $0.stopRepeating() } }

  // MARK: Releases

  /// A button goes up: everything that it held ends.
  mutating func release(_ source: InputSource, at now: Instant, on target: inout ControlledValue) {
    target.feedback.release(source)
    layeredPresses.removeAll { $0.source == source }
    if let place = holds.place(of: source) {
      target.feedback.attribute(to: source.owner, holds.all[place].step.feedback)
      if holds.all[place].stepsAtRelease(target.rules.feel) {
        target.value.commitShown(at: .press, origin: target.origin)
        makeStep(of: place, on: &target)
      }
      holds.release(source, target.rules.feel.secondPress)
    }
    guard push.source == source else { return }
    let (recognized, action) = push.release(at: now)
    recognize(recognized, on: &target)
    target.feedback.attribute(to: source.owner)
    perform(action, on: &target)
  }

  /// Ends the holds of buttons that cannot be held any more, without the step or the action of a release. `isLost`:
  /// their releases were not read; some controls then let the holds run on.
  mutating func abandon(
    isLost: Bool = false, on target: inout ControlledValue, where isGone: (InputSource) -> Bool
  ) {
    target.feedback.release(where: isGone)
    holds.abandon(runOn: isLost && target.rules.feel.lostRelease == .runOn, where: isGone)
    layeredPresses.removeAll { isGone($0.source) && holds.place(of: $0.source) == nil }
    if let source = push.seriesSource, isGone(source) { endSeries(on: &target) }
    if let source = push.source, isGone(source) { perform(push.cancel(), on: &target) }
  }

  /// Adapts to new bindings: `layer` gives the layer of the binding of a button.
  mutating func rebind(_ layer: (InputSource) -> Layer?) {
    let sources = holds.all.map { $0.source } + [push.source].compactMap { $0 }
    layeredPresses = sources.compactMap { source in
      layer(source).map { LayeredPress(source: source, layer: $0) }
    }.filter { !$0.layer.isAlways }
  }

  /// Drops presses that wait for more presses; they have no effect.
  mutating func forgetSeries(where isGone: (InputSource) -> Bool) {
    if let source = push.seriesSource, isGone(source) { push.forgetSeries() }
  }

  // MARK: The knob's own button

  /// Makes a detent a step again.
  mutating func endPageMode() { detentUnit = .step }

  /// The knob was turned: a press that is down no longer counts, and the presses before it are decided.
  mutating func turn(on target: inout ControlledValue) {
    endSeries(on: &target)
    push.decide()
  }

  /// Whether a button of `device` is down, or its presses wait for more.
  func hasPush(of device: DeviceNumber) -> Bool {
    push.source?.owner == .device(device) || push.seriesSource?.owner == .device(device)
  }

  /// Another button than `source` was pressed: presses that wait for more are decided.
  mutating func press(beside source: InputSource, on target: inout ControlledValue) {
    if push.source == nil, push.seriesSource != source { endSeries(on: &target) }
  }

  /// The button `source` modified another input while it was down, so it does not count as a press.
  mutating func modify(with source: InputSource, on target: inout ControlledValue) {
    if source == push.source { turn(on: &target) }
  }

  private mutating func endSeries(on target: inout ControlledValue) {
    recognize(push.endSeries(), on: &target)
  }

  private mutating func recognize(
    _ recognized: PushRecognizer.Recognized?, on target: inout ControlledValue
  ) {
    guard let recognized else { return }
    target.feedback.attribute(to: recognized.source.owner)
    target.feedback.add(recognized.moment)
    perform(recognized.action, on: &target)
  }

  mutating func togglePageMode() { detentUnit = detentUnit == .page ? .step : .page }
}
