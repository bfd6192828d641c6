/// A named, bounded value, the gestures that change it, and its published state.
struct Control: Hashable, Sendable {
  // Control+Explanation reads some of these properties, to explain the effect of an event.
  private(set) var target: ControlledValue
  private(set) var buttons = Buttons()
  private var knobs = Knobs()
  private(set) var faders = Faders()
  private var motion = Motion()
  /// The faders that clients hold.
  private(set) var slides: [InputSource] = []
  private var inactivity: Inactivity
  private var isLive = false

  init(_ settings: ControlSettings, id: ControlID, sequence: Int64, at now: Instant) {
    let value = BoundedValue(settings)
    var state = ControlState(control: id, origin: .startup, sequence: sequence, time: now)
    target = ControlledValue(value: value, publication: Publication(state))
    inactivity = Inactivity(isIdle: true, at: now)
    readLevels(into: &state)
    target.publication = Publication(state)
  }

  /// The settings as configured, and then as adjusted.
  var settings: ControlSettings { rules.settings }
  var value: FixedPoint? { target.value.number }
  var rules: ControlRules { target.rules }
  var published: ControlState { target.publication.state }

  // MARK: Publishing

  /// Appends to `effects` what is to be published and emitted since the last call. If the control publishes at the
  /// end of a gesture, it keeps the former value published during the gesture while `waiting`.
  mutating func publish(
    _ sequence: inout Int64, at now: Instant, waiting: Bool = true, into effects: inout [Effect]
  ) {
    let editing = editing
    let isWaiting = waiting && !rules.feel.isContinuous && editing != nil
    var state = published
    state.isLive = isLive
    state.presses = buttons.pushes
    state.isPressed = buttons.isPushed
    state.editing = editing
    if !isWaiting { readLevels(into: &state) }
    if published.isEditing, editing == nil { target.feedback.add(.end) }
    if let state = target.publication.take(state, isWaiting: isWaiting, sequence: sequence + 1, at: now) {
      sequence += 1
      effects.append(.publish(state))
    }
    target.feedback.emit(for: published.control, at: now, into: &effects)
    inactivity.update(after: rules.feel.resetAfter, isNeeded: !target.value.isInitial, at: now)
  }

  /// Who makes the gesture in progress; nil: there is none.
  private var editing: EditingOrigin? {
    let isMoving = motion.deadline != nil
    guard buttons.isHolding || isMoving || !slides.isEmpty else { return nil }
    return buttons.isHeldByDevice || isMoving && motion.isOfDevice ? .device : .client
  }

  /// Copies the value and what depends on it into `state`.
  private func readLevels(into state: inout ControlState) {
    if state.value != target.value.number {
      state.device = target.value.origin == .device ? target.feedback.owner?.device : nil
    }
    state.value = target.value.number
    state.limit = target.value.limit
    state.origin = target.value.origin
    state.turned = knobs.turned
    state.canIncrement = target.canPress(.increment)
    state.canDecrement = target.canPress(.decrement)
  }

  // MARK: Time

  /// When the passing of time alone changes something.
  var deadline: Instant? {
    Instant.earliest(Instant.earliest(buttons.deadline, motion.deadline), inactivity.deadline)
  }

  /// Applies what is due at `instant`. Returns the number of holds that repeated.
  mutating func fire(at instant: Instant) -> Int64 {
    let repeats = buttons.fire(at: instant, on: &target)
    if motion.deadline == instant { motion.end() }
    if inactivity.deadline == instant { becomeIdle() }
    return repeats
  }

  /// Resets the value to the initial one, and ends page mode. Holds whose release was lost end.
  private mutating func becomeIdle() {
    inactivity.fire()
    abandon(isLost: false) { _ in true }
    buttons.endPageMode()
    target.feedback.attribute(to: nil)
    let change = target.value.reset(origin: .idle)
    if change == nil { target.feedback.add(.idle) }
    note(change, as: .idle)
  }

  mutating func skip(_ duration: Duration) {
    buttons.skip(duration)
    motion.skip(duration)
    inactivity.skip(duration)
  }

  // MARK: Buttons

  /// A button goes down; the route has its action.
  mutating func press(_ source: InputSource, _ route: Route, at now: Instant) {
    if rules.settings.isEnabled { inactivity.press(source) }
    buttons.press(source, route, at: now, on: &target)
  }

  mutating func modify(with source: InputSource) { buttons.modify(with: source, on: &target) }

  mutating func release(_ source: InputSource, at now: Instant) {
    inactivity.release(source)
    endSlides { $0 == source }
    buttons.release(source, at: now, on: &target)
  }

  // MARK: Layers

  /// The buttons that are down through bindings of layers.
  var layeredPresses: [LayeredPress] { buttons.layeredPresses }

  func hasPush(of device: DeviceNumber) -> Bool { buttons.hasPush(of: device) }

  /// A knob is turned, and this control decides its layer: a press of this control's button that is down does not
  /// count, and presses that wait for more are decided.
  mutating func turnInLayer() { buttons.turn(on: &target) }

  /// A button is pressed, and this control decides its layer: presses of another button that wait for more are
  /// decided.
  mutating func pressInLayer(_ source: InputSource) { buttons.press(beside: source, on: &target) }

  /// Ends the holds of buttons that cannot be held any more; see ``Buttons/abandon(isLost:on:where:)``.
  mutating func abandon(isLost: Bool, where isGone: (InputSource) -> Bool) {
    inactivity.release(where: isGone)
    endSlides(where: isGone)
    buttons.abandon(isLost: isLost, on: &target, where: isGone)
  }

  // MARK: Knobs and faders

  mutating func turn(
    _ turn: RelativeAxis.Turn, by owner: InputOwner, times multiplier: Int64,
    feedback effect: FeedbackEffect?, at now: Instant
  ) {
    guard rules.settings.isEnabled else { return }
    inactivity.touch()
    buttons.turn(on: &target)
    target.feedback.attribute(to: owner, effect)
    let (unit, range) = (buttons.detentUnit, rules.range)
    let steps = knobs.turn(turn, rules.feel.turns, unit, in: range)
    let size = range.multiplied(unit == .page ? range.page : range.step, by: multiplier)
    target.value.commitShown(at: .step, origin: target.origin)
    let change = target.value.move(by: steps, size: size, origin: target.origin).change
    note(change)
    if change == nil, target.value.units != nil { target.feedback.add(.limit) }
    motion.move(by: owner, at: now)
  }

  /// A fader was moved; ``Faders/move(_:to:of:)`` decides whether that sets the value. Returns whether it was more
  /// than noise.
  mutating func slide(
    _ source: InputSource, to position: FaderAxis.Position, feedback effect: FeedbackEffect?, at now: Instant
  ) -> Bool {
    guard let movement = faders.move(source, to: position, of: target.value) else { return false }
    guard rules.settings.isEnabled else { return true }
    inactivity.touch()
    guard let units = movement.target else { return true }
    target.feedback.attribute(to: source.owner, effect)
    note(target.value.assign(units, origin: target.origin))
    // A client's fader is a gesture as long as it is held.
    if !source.owner.isClient { motion.move(by: source.owner, at: now) }
    return true
  }

  /// Records the position of a fader without changing the value.
  mutating func place(_ source: InputSource, at position: FaderAxis.Position) {
    faders.place(source, at: position)
  }

  mutating func forgetFaders(of device: DeviceNumber) { faders.forget(device) }

  /// Notes whether any device drives the control. Without one, the movement of a knob or fader of a device ends.
  mutating func become(live isLive: Bool) {
    if !isLive, motion.isOfDevice { motion.end() }
    guard isLive != self.isLive else { return }
    self.isLive = isLive
    target.feedback.attribute(to: nil)
    target.feedback.add(isLive ? .connect : .disconnect)
  }

  mutating func beginSlide(_ source: InputSource) {
    inactivity.press(source)
    if !slides.contains(source) { slides.append(source) }
  }

  /// Forgets the position of a released fader: the next slide may begin anywhere.
  private mutating func endSlides(where isGone: (InputSource) -> Bool) {
    guard !slides.isEmpty else { return }
    for source in slides where isGone(source) { faders.forget(source) }
    slides.removeAll(where: isGone)
  }

  private mutating func note(_ change: BoundedValue.Change?, as moment: Moment? = nil) {
    buttons.note(change, as: moment, on: &target)
  }

  // MARK: Clients and configuration

  /// Why a value that a client requests is refused; nil: it is accepted.
  func refusal(of request: SetRequest) -> Effect.Refusal? {
    if let sequence = request.ifSequence, sequence != published.sequence {
      return .changed(sequence: published.sequence)
    }
    return target.value.refusal(of: request)
  }

  /// Sets a value that a client requests; returns the reason if it is refused.
  mutating func set(_ request: SetRequest) -> Effect.Refusal? {
    if let refusal = refusal(of: request) { return refusal }
    inactivity.touch()
    target.feedback.attribute(to: nil)
    note(target.set(request.value, origin: .client, isText: request.isText))
    return nil
  }

  /// Makes steps that a client requests; returns how many of them counted.
  mutating func step(by count: Int64, _ unit: StepUnit) -> Int64 {
    inactivity.touch()
    target.feedback.attribute(to: nil)
    let (change, applied) = target.value.step(by: count, unit)
    note(change)
    return applied
  }

  mutating func reset() {
    inactivity.touch()
    target.feedback.attribute(to: nil)
    note(target.set(rules.settings.initialValue, origin: .client), as: .reset)
  }

  /// Restores the value from before, if it is still allowed. The value of a button is not restored: it says whether
  /// the button is pressed.
  mutating func restore(_ number: FixedPoint?) {
    guard rules.settings.kind != .button else { return }
    guard number != nil || rules.settings.textRules.canBeUnset else { return }
    inactivity.touch()
    note(target.set(number, origin: .restored))
  }

  /// Changes the bounds or steps; if they are refused, returns false and changes nothing.
  mutating func adjust(_ adjustment: Adjustment) -> Bool {
    guard target.value.adjust(adjustment) else { return false }
    inactivity.touch()
    target.feedback.attribute(to: nil)
    buttons.forgetGrowth()
    let rule = rules.feel.rangeChange
    let isWhole = adjustment.minimumValue != nil && adjustment.maximumValue != nil
    if rule == .clamp || rule == .nextSet && isWhole {
      note(target.set(target.value.number, origin: .client))
    }
    return true
  }

  /// Applies new settings. The value is clamped to the new range; see ``rebind(_:)`` for what is held. If the kind
  /// changes, nothing is held any more.
  mutating func reconfigure(_ settings: ControlSettings, id: ControlID) {
    if settings.kind != rules.settings.kind {
      buttons.forgetSeries { _ in true }
      abandon(isLost: false) { _ in true }
    }
    target.value.reconfigure(settings)
    target.publication.rename(to: id)
    faders.forgetAll()
  }

  /// Takes new bindings: `layer` gives the layer of the live binding of a button with this action, or nil. A hold
  /// continues if its binding still exists, and a client's hold if the control may still have such a button or fader.
  mutating func rebind(_ layer: (InputSource, Binding.Action?) -> Layer?) {
    let (isEnabled, former) = (rules.settings.isEnabled, buttons)
    let ended = clientSources.filter { !mayHold($0) }
    let isGone = { (source: InputSource) in
      !isEnabled
        || (source.owner.isClient
          ? ended.contains(source) : layer(source, former.action(of: source)) == nil)
    }
    buttons.forgetSeries(where: isGone)
    abandon(isLost: false, where: isGone)
    buttons.rebind { layer($0, former.action(of: $0)) }
    if !rules.feel.autorepeat { buttons.stopRepeating() }
  }
}
