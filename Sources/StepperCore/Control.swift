/// A named, bounded value and what is being done to it right now.
package struct Control: Hashable, Sendable {
  package private(set) var settings: ControlSettings
  private(set) var range: ValueRange
  /// In units of the range.
  private var value: Int64
  private var origin = Origin.startup
  private var turned: Int64 = 0
  private var presses: Int64 = 0
  private var hold: Hold?
  private var push = PushRecognizer()
  /// Whether a detent is a page instead of a step.
  private var isPaging = false
  /// When a turn counts as ended; only kept where changes wait for the end of the gesture.
  private var turnEnds: Instant?
  var isLive = false
  /// What everyone was told last.
  package private(set) var published: ControlState

  /// A turn has ended when the knob has rested this long.
  static let turnIdleTime = Duration.milliseconds(300)

  /// A button that is being held.
  private struct Hold: Hashable, Sendable {
    var source: HoldSource
    var direction: Direction
    var unit: StepUnit
    /// nil: the control does not repeat.
    var autorepeat: Autorepeat?
  }

  init(_ settings: ControlSettings, id: ControlID, sequence: Int64, at now: Instant) {
    self.settings = settings
    range = ValueRange(settings)
    value = range.clamp(range.units(of: settings.initialValue))
    published = ControlState(
      control: id, value: range.number(value), limit: range.limit(of: value), origin: .startup,
      sequence: sequence, time: now)
  }

  // MARK: What is to be told

  /// The state as it is now, if it differs from what everyone was told and is not to wait for the end of a
  /// gesture.
  mutating func publish(sequence: Int64, at now: Instant, waiting: Bool = true) -> ControlState? {
    guard !(waiting && !settings.isContinuous && isInGesture) else { return nil }
    var state = published
    state.value = range.number(value)
    state.limit = range.limit(of: value)
    state.origin = origin
    state.isLive = isLive
    state.turned = turned
    state.presses = presses
    state.isPressed = push.source != nil
    guard state != published else { return nil }
    state.sequence = sequence
    state.time = now
    published = state
    return state
  }

  private var isInGesture: Bool { hold != nil || turnEnds != nil }

  /// When time alone changes something.
  var deadline: Instant? {
    [hold?.autorepeat?.deadline, push.deadline, turnEnds].compactMap(\.self).min()
  }

  /// What is due at `instant` happens.
  mutating func fire(at instant: Instant) {
    if hold?.autorepeat?.deadline == instant {
      hold?.autorepeat?.fire()
      stepHeld()
    }
    if push.deadline == instant { perform(push.fire()) }
    if turnEnds == instant { turnEnds = nil }
  }

  mutating func skip(_ duration: Duration) {
    hold?.autorepeat?.skip(duration)
    push.skip(duration)
    turnEnds = turnEnds.map { $0 + duration }
  }

  // MARK: Devices

  /// A button that steps goes down; while one is held, another is ignored.
  mutating func press(_ source: HoldSource, _ direction: Direction, _ unit: StepUnit, at now: Instant) {
    guard settings.isEnabled, hold == nil else { return }
    let autorepeat = settings.autorepeat ? Autorepeat(settings.repeatSchedule, pressedAt: now) : nil
    hold = Hold(source: source, direction: direction, unit: unit, autorepeat: autorepeat)
    stepHeld()
  }

  /// One step of the button that is held. At a limit the hold ends, and needs a new press.
  private mutating func stepHeld() {
    guard let hold else { return }
    move(by: hold.direction.rawValue, hold.unit, origin: .device)
    if !settings.wraps, isAtLimit(hold.direction) { self.hold = nil }
  }

  private func isAtLimit(_ direction: Direction) -> Bool {
    switch (range.limit(of: value), direction) {
    case (.both, _), (.minimum, .decrement), (.maximum, .increment): true
    default: false
    }
  }

  /// The knob's own button goes down.
  mutating func pushDown(_ source: HoldSource, _ actions: PushActions, at now: Instant) {
    guard settings.isEnabled, push.press(by: source, actions, at: now) else { return }
    presses += 1
  }

  /// A button goes up: whatever it held ends.
  mutating func release(_ source: HoldSource) {
    if hold?.source == source { hold = nil }
    if push.source == source { perform(push.release()) }
  }

  /// Buttons that cannot be held any more: what they held ends, without the action of a release.
  mutating func release(where isGone: (HoldSource) -> Bool) {
    if let source = hold?.source, isGone(source) { hold = nil }
    if let source = push.source, isGone(source) { push.cancel() }
  }

  /// A turn ends now rather than after its idle time.
  mutating func endTurn() { turnEnds = nil }

  mutating func turn(_ turn: RelativeAxis.Turn, curve: AccelerationCurve?, at now: Instant) {
    guard settings.isEnabled else { return }
    push.turn()
    let (sum, overflow) = turned.addingReportingOverflow(turn.detents)
    if !overflow { turned = sum }
    move(by: accelerated(turn, curve), isPaging ? .page : .step, origin: .device)
    waitForEndOfTurn(at: now)
  }

  /// Steps that a turn is worth. A control with at most this many steps is never accelerated, and one turn
  /// never goes further than a twentieth of the range, unless that many detents were turned.
  private func accelerated(_ turn: RelativeAxis.Turn, _ curve: AccelerationCurve?) -> Int64 {
    let shortRange: Int64 = 100
    guard let curve, !isPaging, range.stepCount.map({ $0 > shortRange }) ?? true else { return turn.detents }
    let steps = (Double(turn.detents.magnitude) * curve.gain(at: turn.speed)).rounded()
    let most = range.stepCount.map { Double($0 / 20) } ?? .infinity
    let limited = max(min(steps, most), Double(turn.detents.magnitude))
    return turn.detents.signum() * (Int64(exactly: limited) ?? turn.detents.magnitude.saturated)
  }

  mutating func slide(to position: Int32, of travel: ClosedRange<Int32>, inverted: Bool, at now: Instant) {
    guard settings.isEnabled, let target = range.value(at: position, of: travel, inverted: inverted) else {
      return
    }
    assign(target, origin: .device)
    waitForEndOfTurn(at: now)
  }

  private mutating func waitForEndOfTurn(at now: Instant) {
    if !settings.isContinuous { turnEnds = now + Self.turnIdleTime }
  }

  private mutating func perform(_ action: PushActions.Action) {
    switch action {
    case .none: break
    case .reset: reset(origin: .device)
    case .toggle(let first, let second):
      let first = range.clamp(range.units(of: first))
      assign(value == first ? range.clamp(range.units(of: second)) : first, origin: .device)
    case .pageMode: isPaging.toggle()
    }
  }

  // MARK: Values

  /// How many of the steps moved the value.
  @discardableResult
  mutating func move(by count: Int64, _ unit: StepUnit, origin: Origin) -> Int64 {
    let (target, applied) = range.move(value, by: count, unit)
    assign(target, origin: origin)
    return applied
  }

  /// Rounded to the control's digits, and clamped.
  mutating func set(_ number: FixedPoint, origin: Origin) {
    assign(range.clamp(range.units(of: number)), origin: origin)
  }

  mutating func reset(origin: Origin) { set(settings.initialValue, origin: origin) }

  func holds(_ number: FixedPoint) -> Bool { range.contains(range.units(of: number)) }

  private mutating func assign(_ target: Int64, origin: Origin) {
    guard target != value else { return }
    value = target
    self.origin = origin
  }

  // MARK: Configuration

  /// Takes new settings. The value is kept as far as the new range allows; a hold goes on if its binding is
  /// still there.
  mutating func reconfigure(_ settings: ControlSettings, id: ControlID, hasBinding: (HoldSource) -> Bool) {
    let number = range.number(value)
    self.settings = settings
    range = ValueRange(settings)
    published.control = id
    let kept = range.clamp(range.units(of: number))
    if range.number(kept) != number { origin = .configuration }
    value = kept
    if !settings.isEnabled { release { _ in true } }
    release { !hasBinding($0) }
    if !settings.autorepeat { hold?.autorepeat = nil }
    if settings.isContinuous { turnEnds = nil }
  }
}

/// A button of a device that something may be held with.
package struct HoldSource: Hashable, Sendable {
  var device: DeviceNumber
  var usage: EvdevUsage
}

extension UInt64 {
  /// As a signed number, at most the largest there is.
  fileprivate var saturated: Int64 { Int64(clamping: self) }
}
