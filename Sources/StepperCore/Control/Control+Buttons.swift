/// Buttons that step, and the knob's own.
extension Control {
  /// A button that steps goes down.
  mutating func press(_ source: HoldSource, _ step: StepBinding, at now: Instant) {
    let feel = settings.feel
    cause = Cause(device: source.device, feedback: step.feedback)
    guard settings.isEnabled else { return }
    // Pressed again, it was let go unseen.
    holds.removeAll { $0.source == source && $0.isOrphan }
    guard !holds.contains(where: { $0.source == source }) else { return }
    if holds.contains(where: { !$0.isSpent && !$0.isOrphan }) {
      switch feel.secondPress {
      case .ignore: return
      case .end: return holds.removeAll()
      case .takeOver: holds.removeAll()
      case .both: break
      }
    }
    guard value != nil else { return }
    feelPress(of: source)
    guard canMove(step.direction) else { return self.feel(.limit) }
    let repeats = feel.autorepeat && step.unit != .limit
    let hold = Hold(source, step, autorepeat: repeats ? Autorepeat(feel.repeatSchedule, pressedAt: now) : nil)
    holds.append(hold)
    guard stepsAtPress(hold) else { return }
    commitShown(at: .press)
    stepHeld(source)
    if feel.snapping == .key { snap() }
  }

  private func stepsAtPress(_ hold: Hold) -> Bool {
    if hold.step.unit == .limit { return settings.feel.limitStep == .press }
    return hold.autorepeat == nil ? settings.feel.singleStep == .press : settings.feel.firstStep == .press
  }

  private func stepsAtRelease(_ hold: Hold) -> Bool {
    if stepsAtPress(hold) { return false }
    return !(hold.hasRepeated && settings.feel.firstStep == .tap)
  }

  mutating func repeatStep(of source: HoldSource) {
    guard let index = holds.firstIndex(where: { $0.source == source }) else { return }
    cause = Cause(device: source.device, feedback: holds[index].step.feedback)
    holds[index].fire()
    let isKey = settings.feel.snapping == .key
    commitShown(at: .step)
    if isKey { snap() }
    stepHeld(source)
    if isKey { snap() }
  }

  private mutating func snap() {
    if let value { settle(on: range.snapped(value)) }
  }

  /// One step of a button that is held, and what becomes of the hold at an end.
  private mutating func stepHeld(_ source: HoldSource) {
    guard let index = holds.firstIndex(where: { $0.source == source }), let before = value else { return }
    let step = holds[index].step
    if step.unit == .limit {
      goToLimit(step.direction)
    } else {
      let size = holds[index].nextSize(settings.feel.climb, in: range)
      move(by: step.direction.rawValue, size: multiplied(size, by: step.multiplier), origin: .device)
    }
    guard let value else { return }
    // A hold that pauses at an end does so in silence.
    if value == before, !holds[index].hasRepeated || settings.feel.atLimit == .fire { feel(.limit) }
    switch settings.feel.atLimit {
    case .pause: break
    case .fire: isToBeToldAgain = isToBeToldAgain || value == before
    case .end: holds[index].isSpent = !stepping.canMove(value, step.direction)
    }
  }

  private mutating func goToLimit(_ direction: Direction) {
    guard let end = direction == .increment ? range.maximum : range.minimum else { return }
    assign(range.clamp(end), origin: .device)
  }

  /// A button goes up: whatever it held ends.
  mutating func release(_ source: HoldSource) {
    feelRelease(of: source)
    if let hold = holds.first(where: { $0.source == source }) {
      cause = Cause(device: source.device, feedback: hold.step.feedback)
      if !hold.isSpent, stepsAtRelease(hold) {
        commitShown(at: .press)
        stepHeld(source)
      }
      holds.removeAll { $0.source == source || $0.isOrphan || settings.feel.secondPress == .both }
    }
    if push.source == source {
      cause = Cause(device: source.device)
      for action in push.release() { perform(action) }
    }
  }

  /// Buttons that cannot be held any more: what they held ends, without the step or the action of a release.
  /// `isLost`: nobody let them go, which some controls do not notice.
  mutating func release(isLost: Bool = false, where isGone: (HoldSource) -> Bool) {
    for source in pressed where isGone(source) { feelRelease(of: source) }
    for index in holds.indices where isGone(holds[index].source) { holds[index].isOrphan = true }
    if !(isLost && settings.feel.lostRelease == .runOn) { holds.removeAll(where: \.isOrphan) }
    if let source = push.source, isGone(source) { perform(push.cancel()) }
  }

  /// A button that resets goes down.
  mutating func reset(by source: HoldSource) {
    cause = Cause(device: source.device)
    if settings.isEnabled { reset(origin: .device) }
  }

  /// The knob's own button goes down.
  mutating func pushDown(_ source: HoldSource, _ actions: PushActions, at now: Instant) {
    guard settings.isEnabled, push.press(by: source, actions, at: now) else { return }
    presses += 1
    cause = Cause(device: source.device)
    feelPress(of: source)
    perform(actions.press)
  }

  mutating func perform(_ action: PushActions.Action) {
    switch action {
    case .none: break
    case .reset: reset(origin: .device)
    case .toggle(let first, let second):
      let first = allowed(range.units(of: first))
      assign(value == first ? allowed(range.units(of: second)) : first, origin: .device)
    case .pageMode: isPaging.toggle()
    case .set(let number): assign(allowed(range.units(of: number)), origin: .device)
    }
  }
}
