/// The whole behaviour of the daemon, without I/O and without a clock.
///
/// Call ``advance(to:applying:)`` for every input, and again when ``deadline`` is reached. Equal inputs at
/// equal instants give equal effects; more calls in between change nothing.
package struct Engine: Hashable, Sendable {
  private typealias Devices = [DeviceNumber: ConnectedDevice]

  private var configuration: EngineConfiguration
  private var controls: [Control]
  /// Those of ``controls``.
  private var deadlines: Deadlines
  private var indexes: [String: Int] = [:]
  /// How many configurations there were before this one.
  private var generation: UInt64 = 0
  private var devices: Devices = [:]
  /// How far time has come.
  package private(set) var now: Instant
  /// Number of the newest change.
  package private(set) var sequence: Int64 = 0
  /// Steps made by autorepeat so far.
  package private(set) var repeats: Int64 = 0
  /// Empty between two inputs: the controls that the present one touches, in their order.
  private var touched: [Int] = []

  package init(_ configuration: EngineConfiguration, at now: Instant) {
    self.configuration = configuration
    self.now = now
    controls = []
    deadlines = Deadlines(count: 0)
    install(
      configuration.controls.enumerated().map { index, settings in
        Control(settings, id: id(index), sequence: nextSequence(), at: now)
      })
  }

  /// The instant at which the engine must be called next without an input; nil: only with an input.
  package var deadline: Instant? { deadlines.earliest }

  // MARK: Controls

  /// The controls of the configuration in force, in its order.
  package var ids: [ControlID] { controls.indices.map(id) }

  package func control(named name: String) -> ControlID? { indexes[name].map(id) }

  /// What was published of a control last; nil if it is of a former configuration.
  package subscript(_ id: ControlID) -> ControlState? { index(of: id).map { controls[$0].published } }

  /// A control's settings as configured and then adjusted; nil if it is of a former configuration.
  package func adjustedSettings(of id: ControlID) -> ControlSettings? {
    index(of: id).map { controls[$0].settings }
  }

  private func id(_ index: Int) -> ControlID { ControlID(index, generation: generation) }

  private func index(of id: ControlID) -> Int? {
    controls.indices.contains(id.index) && id == self.id(id.index) ? id.index : nil
  }

  // MARK: Inputs

  /// Moves time forward to `instant`, firing every deadline on the way at its own instant, and then applies
  /// `input`; appends what is to be done to `effects`. A deadline at `instant` precedes the input. Time never runs
  /// backwards: an earlier `instant` is taken as the present one.
  package mutating func advance(
    to instant: Instant, applying input: Input? = nil, into effects: inout [Effect]
  ) {
    while let due = deadlines.earliest, due <= instant, let index = deadlines.earliestPlace {
      now = max(now, due)
      repeats += controls[index].fire(at: due)
      publish(index, into: &effects)
    }
    now = max(now, instant)
    if let input { apply(input, into: &effects) }
  }

  /// Returns the effects; see ``advance(to:applying:into:)``.
  package mutating func advance(to instant: Instant, applying input: Input? = nil) -> [Effect] {
    var effects: [Effect] = []
    advance(to: instant, applying: input, into: &effects)
    return effects
  }

  private mutating func apply(_ input: Input, into effects: inout [Effect]) {
    switch input {
    case .deviceAdded(let id, let capabilities):
      devices[id] = ConnectedDevice(capabilities, in: configuration)
      placeFaders(of: id)
      updateLiveness(into: &effects)
    case .deviceRemoved(let id):
      release(into: &effects, isLost: true) { $0.device == id }
      for index in controls.indices { controls[index].forgetFaders(of: id) }
      devices[id] = nil
      updateLiveness(into: &effects)
    case .frame(let id, let events):
      read(events, from: id, into: &effects)
    case .resynchronized(let id, let events, let keysDown):
      devices[id]?.resynchronize(keysDown: keysDown)
      release(into: &effects, isLost: true) { $0.device == id && !keysDown.contains($0.usage) }
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
    case .adjust(let id, let adjustment):
      change(id, into: &effects) { control in
        control.adjust(adjustment) ? .adjusted(id) : .refuse(id, .invalidRange(adjustment))
      }
    case .restored(let id, let value):
      guard let index = index(of: id) else { return effects.append(.refuse(id, .unknownControl)) }
      controls[index].restore(value)
      publish(index, into: &effects)
    case .configured(let configuration):
      configure(configuration, into: &effects)
    case .everythingReleased:
      for id in devices.keys { devices[id]?.releaseModifiers() }
      release(into: &effects) { _ in true }
    case .timeSkipped(let duration):
      for index in controls.indices {
        controls[index].skip(duration)
        deadlines[index] = controls[index].deadline
      }
    }
  }

  /// A request of a client, whose change is published at once; `change` returns the answer to the client.
  private mutating func change(
    _ id: ControlID, into effects: inout [Effect], _ change: (inout Control) -> Effect?
  ) {
    guard let index = index(of: id) else { return effects.append(.refuse(id, .unknownControl)) }
    let answer = change(&controls[index])
    publish(index, waiting: false, into: &effects)
    if let answer { effects.append(answer) }
  }

  // MARK: Devices

  /// Faders are where they are, whether or not they move.
  private mutating func placeFaders(of id: DeviceNumber) {
    for (usage, routes, position) in devices[id]?.positions ?? [] {
      for route in routes {
        controls[route.control].place(InputSource(device: id, usage: usage), at: position)
      }
    }
  }

  private mutating func read(_ events: EvdevEvents, from id: DeviceNumber, into effects: inout [Effect]) {
    guard let device = devices.index(forKey: id) else { return }
    var isTurn = false
    for event in events {
      let (usage, source) = (event.usage, InputSource(device: id, usage: event.usage))
      if usage.isKey, event.value < 2 {
        devices.values[device].noteModifier(usage, isDown: event.value == 1)
        if event.value == 1 { press(source, of: device) } else { release(source, of: device) }
      } else if usage.isAbsolute,
        let position = devices.values[device].position(of: usage, event.value)
      {
        slide(source, of: device, to: position)
      } else if usage.isRelative {
        isTurn = true
      }
      // The kernel's own autorepeat (value 2) means "still held"; relative axes are read by the frame.
    }
    if isTurn { turn(device, id, events) }
    for index in touched { publish(index, into: &effects) }
    touched.removeAll(keepingCapacity: true)
  }

  private mutating func turn(_ device: Devices.Index, _ id: DeviceNumber, _ events: EvdevEvents) {
    for axis in devices.values[device].relativeAxes.indices {
      guard let turn = devices.values[device].turn(ofAxis: axis, in: events, at: now) else { continue }
      let usage = devices.values[device].relativeAxes[axis].usage
      let curve = devices.values[device].acceleration
      for route in devices.values[device].activeRoutes(of: usage) {
        noteModifier(of: route, device, id)
        controls[route.control].turn(turn, of: id, by: route, curve: curve, at: now)
        touch(route.control)
      }
    }
  }

  private mutating func slide(
    _ source: InputSource, of device: Devices.Index, to position: FaderAxis.Position
  ) {
    for route in devices.values[device].activeRoutes(of: source.usage) {
      controls[route.control].slide(source, to: position, feedback: route.feedback, at: now)
      touch(route.control)
    }
    // Controls that it does not move at present must record its position.
    for route in devices.values[device].routes(of: source.usage) {
      controls[route.control].place(source, at: position)
    }
  }

  private mutating func press(_ source: InputSource, of device: Devices.Index) {
    for route in devices.values[device].activeRoutes(of: source.usage) {
      noteModifier(of: route, device, source.device)
      switch route.action {
      case .step(let direction, let unit):
        let step = StepBinding(
          direction: direction, unit: unit, multiplier: route.multiplier, feedback: route.feedback)
        controls[route.control].press(source, step, at: now)
      case .reset: controls[route.control].reset(by: source)
      case .push(let actions): controls[route.control].push(source, actions, at: now)
      case .rotate, .absolute: break
      }
      touch(route.control)
    }
  }

  /// Whichever held something, even if its modifier went up first.
  private mutating func release(_ source: InputSource, of device: Devices.Index) {
    for route in devices.values[device].routes(of: source.usage) {
      controls[route.control].release(source)
      touch(route.control)
    }
  }

  /// A button that modified another input is no press by itself any more.
  private mutating func noteModifier(
    of route: ConnectedDevice.Route, _ device: Devices.Index, _ id: DeviceNumber
  ) {
    guard let modifier = route.modifier else { return }
    for route in devices.values[device].routes(of: modifier) {
      controls[route.control].modify(with: InputSource(device: id, usage: modifier))
      touch(route.control)
    }
  }

  private mutating func touch(_ index: Int) {
    guard let last = touched.last, last >= index else { return touched.append(index) }
    guard !touched.contains(index) else { return }
    touched.append(index)
    touched.sort()
  }

  private mutating func release(
    into effects: inout [Effect], isLost: Bool = false, where isGone: (InputSource) -> Bool
  ) {
    for index in controls.indices {
      controls[index].abandon(isLost: isLost, where: isGone)
      publish(index, into: &effects)
    }
  }

  /// Publishes every control; those that wait for the end of a gesture only as far as they may unless `waiting` is
  /// false.
  private mutating func updateLiveness(waiting: Bool = true, into effects: inout [Effect]) {
    var driven: Set<Int> = []
    for device in devices.values { driven.formUnion(device.drivenControls) }
    for index in controls.indices {
      controls[index].become(live: driven.contains(index))
      publish(index, waiting: waiting, into: &effects)
    }
  }

  // MARK: Configuration

  private mutating func configure(_ configuration: EngineConfiguration, into effects: inout [Effect]) {
    let former = Dictionary(controls.map { ($0.settings.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.configuration = configuration
    generation += 1
    for id in devices.keys { devices[id]?.reconfigure(configuration) }
    let devices = devices
    let controls = configuration.controls.enumerated().map { index, settings in
      guard var control = former[settings.name] else {
        return Control(settings, id: id(index), sequence: nextSequence(), at: now)
      }
      control.reconfigure(settings, id: id(index)) { source in
        devices[source.device]?.routes(of: source.usage).contains { $0.control == index } ?? false
      }
      return control
    }
    install(controls)
    for id in devices.keys { placeFaders(of: id) }
    // The published value may be outside the new range, so the change is published without waiting for the
    // end of the gesture.
    updateLiveness(waiting: false, into: &effects)
  }

  private mutating func install(_ controls: [Control]) {
    self.controls = controls
    indexes = Dictionary(
      controls.enumerated().map { ($1.settings.name, $0) }, uniquingKeysWith: { first, _ in first })
    deadlines = Deadlines(count: controls.count)
    for (index, control) in controls.enumerated() { deadlines[index] = control.deadline }
  }

  // MARK: Publishing

  private mutating func publish(_ index: Int, waiting: Bool = true, into effects: inout [Effect]) {
    controls[index].publish(&sequence, at: now, waiting: waiting, into: &effects)
    deadlines[index] = controls[index].deadline
  }

  private mutating func nextSequence() -> Int64 {
    sequence += 1
    return sequence
  }
}
