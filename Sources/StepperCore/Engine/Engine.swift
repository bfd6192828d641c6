/// The whole behaviour of the daemon, without I/O and without a clock.
///
/// Call ``advance(to:applying:)`` for every input, and again when ``deadline`` is reached. Equal inputs at
/// equal instants give equal effects; more calls in between change nothing.
package struct Engine: Hashable, Sendable {
  private var configuration: EngineConfiguration
  // Engine+Explanation reads these two, to explain the effects of an input.
  private(set) var controls: ControlTable
  private(set) var devices = SortedTable<DeviceNumber, ConnectedDevice>()
  /// The inactivity of the whole board.
  private var inactivity: Inactivity
  /// Whether the board was reported as idle or active since `idleAfter` is set.
  private var isActivityKnown = false
  /// The present time of the engine.
  package private(set) var now: Instant
  /// Steps made by autorepeat so far.
  package private(set) var repeats: Int64 = 0
  // These two are stored, so that an object that holds the engine can read them without copying it.
  /// The number of the newest change.
  package private(set) var sequence: Int64
  /// When the engine must be called next, even without an input; nil: only with an input.
  package private(set) var deadline: Instant?

  /// Changes are numbered from `sequence` + 1 on.
  package init(_ configuration: EngineConfiguration, sequence: Int64 = 0, at now: Instant) {
    self.configuration = configuration
    controls = ControlTable(sequence: sequence)
    self.now = now
    inactivity = Inactivity(isIdle: false, at: now)
    controls.install(configuration.controls, at: now) { _, _, _ in }
    self.sequence = controls.sequence
    updateInactivity()
    deadline = inactivity.deadline
  }

  // MARK: Controls

  /// The controls of the configuration in force, in its order.
  package var ids: [ControlID] { controls.controls.indices.map(controls.id) }

  package func control(named name: String) -> ControlID? { controls.index(named: name).map(controls.id) }

  /// The state of a control that was published last; nil if it belongs to a former configuration.
  package subscript(_ id: ControlID) -> ControlState? {
    controls.index(of: id).map { controls.controls[$0].published }
  }

  /// A control's settings as configured and then adjusted; nil if it belongs to a former configuration.
  package func adjustedSettings(of id: ControlID) -> ControlSettings? {
    controls.index(of: id).map { controls.controls[$0].settings }
  }

  /// Whether a control counts a client's hold as held; false if it refused the press, or has ended the hold.
  package func isHeld(_ hold: HoldNumber, on id: ControlID) -> Bool {
    controls.index(of: id).map { controls.controls[$0].isHeld(InputSource(hold: hold)) } ?? false
  }

  /// Whether a hold repeats at `deadline`.
  package func hasRepeat(at deadline: Instant) -> Bool {
    controls.controls.contains { $0.buttons.holds.deadline == deadline }
  }

  /// Why a request would be refused now; nil: it would be accepted.
  package func refusal(of request: SetRequest, for id: ControlID) -> Effect.Refusal? {
    guard let index = controls.index(of: id) else { return .unknownControl }
    return controls.controls[index].refusal(of: request)
  }

  // MARK: Inputs

  /// Moves time forward to `instant`, firing every deadline on the way at its own instant, and then applies `input`;
  /// appends the resulting effects to `effects`. A deadline at `instant` precedes the input. Time never runs
  /// backwards: an earlier `instant` counts as the present one.
  package mutating func advance(
    to instant: Instant, applying input: Input? = nil, into effects: inout [Effect]
  ) {
    fire(until: instant, atMost: .max, into: &effects)
    now = max(now, instant)
    if let input {
      apply(input, into: &effects)
      updateInactivity()
    }
    (sequence, deadline) = (controls.sequence, Instant.earliest(controls.deadline, inactivity.deadline))
  }

  /// Fires the deadlines until `instant`, as ``advance(to:applying:into:)`` does, but only a portion of about `most`
  /// deadlines and repeats. The portion ends between two instants. Returns its size.
  @discardableResult
  package mutating func fire(until instant: Instant, atMost most: Int64, into effects: inout [Effect])
    -> Int64
  {
    var count: Int64 = 0
    while let due = Instant.earliest(controls.deadline, inactivity.deadline), due <= instant,
      count < most || due <= now
    {
      now = max(now, due)
      count += 1
      if controls.deadline == due {
        let holds = controls.fire(at: now, into: &effects)
        (count, repeats) = (count + holds, repeats + holds)
      } else {
        inactivity.fire()
        isActivityKnown = true
        effects.append(.becameIdle)
      }
    }
    (sequence, deadline) = (controls.sequence, Instant.earliest(controls.deadline, inactivity.deadline))
    return count
  }

  /// The same, but returns the effects; see ``advance(to:applying:into:)``.
  package mutating func advance(to instant: Instant, applying input: Input? = nil) -> [Effect] {
    var effects: [Effect] = []
    advance(to: instant, applying: input, into: &effects)
    return effects
  }

  private mutating func apply(_ input: Input, into effects: inout [Effect]) {
    switch input {
    case .deviceAdded(let id, let capabilities):
      var device = ConnectedDevice(id, capabilities, in: configuration)
      device.placeFaders(on: &controls)
      devices[id] = device
      updateLiveness(into: &effects)
    case .deviceRemoved(let id):
      release(into: &effects, isLost: true) { $0.owner == .device(id) }
      controls.update { $1.forgetFaders(of: id) }
      devices[id] = nil
      updateLiveness(into: &effects)
    case .frame(let id, let events):
      read(events, from: id, into: &effects)
    case .resynchronized(let id, let events, let keysDown):
      if let place = devices.place(of: id) { devices.values[place].resynchronize(keysDown: keysDown) }
      release(into: &effects, isLost: true) { $0.owner == .device(id) && !keysDown.contains($0.usage) }
      read(events, from: id, into: &effects)
    case .set(let id, let request):
      change(id, into: &effects) { $0.set(request).map { .refuse(id, $0) } }
    case .step(let id, let count, let unit):
      change(id, into: &effects) { .applied(id, steps: $0.step(by: count, unit)) }
    case .reset(let id):
      change(id, into: &effects) { control in
        control.reset()
        return nil
      }
    case .press(let id, let hold, let action):
      move(id, into: &effects) { $0.press(hold, action, at: $1) }
      inactivity.press(InputSource(hold: hold))
    case .release(let id, let hold):
      inactivity.release(InputSource(hold: hold))
      guard controls.index(of: id) != nil else { return }
      act(id, into: &effects) { $0.release(InputSource(hold: hold), at: $1) }
    case .turn(let id, let detents):
      move(id, into: &effects) { $0.turn(by: detents, at: $1) }
    case .slide(let id, let hold, let position):
      move(id, into: &effects) { $0.slide(hold, to: position, at: $1) }
      inactivity.press(InputSource(hold: hold))
    case .adjust(let id, let adjustment):
      change(id, into: &effects) { control in
        control.adjust(adjustment) ? .adjusted(id) : .refuse(id, .invalidRange(adjustment))
      }
    case .restored(let id, let value):
      change(id, waiting: true, into: &effects) { control in
        control.restore(value)
        return nil
      }
    case .configured(let configuration):
      configure(configuration, into: &effects)
    case .everythingReleased:
      for place in devices.values.indices { devices.values[place].releaseModifiers() }
      release(into: &effects, isLost: false) { _ in true }
    case .timeSkipped(let duration):
      controls.update { $1.skip(duration) }
      inactivity.skip(duration)
    }
  }

  /// Performs a request. Its change is published at once, unless it is `waiting` for the end of a gesture; `change`
  /// returns the answer to the client.
  private mutating func change(
    _ id: ControlID, waiting: Bool = false, into effects: inout [Effect], _ change: (inout Control) -> Effect?
  ) {
    guard let index = controls.index(of: id) else { return effects.append(.refuse(id, .unknownControl)) }
    let former = controls.controls[index].published.value
    let answer = controls.touch(index, change)
    controls.publishTouched(at: now, waiting: waiting, into: &effects)
    if !waiting, controls.controls[index].published.value != former { touch(by: nil, into: &effects) }
    if let answer { effects.append(answer) }
  }

  // MARK: Inputs of clients

  /// Lets an input of a client act on a control, which also counts as activity of the board.
  private mutating func move(
    _ id: ControlID, into effects: inout [Effect], _ move: (inout Control, Instant) -> Void
  ) {
    touch(by: nil, into: &effects)
    act(id, into: &effects, move)
  }

  private mutating func act(
    _ id: ControlID, into effects: inout [Effect], _ act: (inout Control, Instant) -> Void
  ) {
    guard let index = controls.index(of: id) else { return effects.append(.refuse(id, .unknownControl)) }
    controls.touch(index) { act(&$0, now) }
    controls.publishTouched(at: now, into: &effects)
  }

  // MARK: Devices

  private mutating func read(_ events: EvdevEvents, from id: DeviceNumber, into effects: inout [Effect]) {
    guard let place = devices.place(of: id) else { return }
    let isSlide = devices.values[place].read(events, at: now, on: &controls)
    if isSlide || events.contains(where: { $0.isTouch }) { touch(by: id, into: &effects) }
    for event in events where event.usage.isKey { hold(event, of: id) }
    controls.publishTouched(at: now, into: &effects)
  }

  /// Ends what is held. Unless `isLost`, no further input may follow, so every control is published without waiting
  /// for the end of a gesture.
  private mutating func release(
    into effects: inout [Effect], isLost: Bool, where isGone: (InputSource) -> Bool
  ) {
    inactivity.release(where: isGone)
    controls.update { $1.abandon(isLost: isLost, where: isGone) }
    controls.publishAll(at: now, waiting: isLost, into: &effects)
  }

  /// Updates which controls are live, and publishes every control. While `waiting`, controls that wait for the end of
  /// a gesture keep their former value.
  private mutating func updateLiveness(waiting: Bool = true, into effects: inout [Effect]) {
    var driven: Set<Int> = []
    for device in devices.values { driven.formUnion(device.drivenControls) }
    controls.update { $1.become(live: driven.contains($0)) }
    controls.publishAll(at: now, waiting: waiting, into: &effects)
  }

  // MARK: The whole board

  private mutating func updateInactivity() { inactivity.update(after: configuration.idleAfter, at: now) }

  /// An input of a device was touched, or a client has changed a value. The first touch ends an idle period that may
  /// have begun before the start.
  private mutating func touch(by device: DeviceNumber?, into effects: inout [Effect]) {
    if inactivity.isIdle || !isActivityKnown && configuration.idleAfter != nil {
      isActivityKnown = true
      effects.append(.becameActive(device))
    }
    inactivity.touch()
  }

  /// Records presses and releases of buttons: a held button counts as activity, whether or not it drives a control.
  private mutating func hold(_ event: EvdevEvent, of device: DeviceNumber) {
    let source = InputSource(device: device, usage: event.usage)
    if event.value == 1 { inactivity.press(source) }
    if event.value == 0 { inactivity.release(source) }
  }

  // MARK: Configuration

  private mutating func configure(_ configuration: EngineConfiguration, into effects: inout [Effect]) {
    self.configuration = configuration
    if configuration.idleAfter == nil {
      isActivityKnown = false
      if inactivity.isIdle { inactivity.touch() }
    }
    for place in devices.values.indices { devices.values[place].reconfigure(configuration) }
    controls.beginGeneration()
    controls.install(configuration.controls, at: now) { $0.reconfigure($1, id: $2) }
    let (present, values) = (devices, controls.controls.map { $0.value })
    controls.update { index, control in
      control.rebind { source, action in
        source.owner.device.flatMap { present[$0]?.layer(of: index, source.usage, action) { values[$0] } }
      }
    }
    for place in devices.values.indices { devices.values[place].placeFaders(on: &controls) }
    // The published value may be outside the new range, so the change is published without waiting for the end of the
    // gesture.
    updateLiveness(waiting: false, into: &effects)
  }
}

extension EvdevEvent {
  /// Whether the event touches a button or a knob. Positions of faders may be noise.
  fileprivate var isTouch: Bool { usage.isRelative || usage.isKey && value < 2 }
}
