/// The whole behaviour of the daemon, without I/O and without a clock.
///
/// Call ``advance(to:applying:)`` for every input, and again when ``deadline`` is reached. Equal inputs at
/// equal instants give equal effects; more calls in between change nothing.
package struct Engine: Hashable, Sendable {
  private var configuration: EngineConfiguration
  package private(set) var controls: [Control]
  private var devices: [DeviceNumber: ConnectedDevice] = [:]
  /// How far time has come.
  package private(set) var now: Instant
  /// Number of the newest change.
  package private(set) var sequence: Int64 = 0

  package init(_ configuration: EngineConfiguration, at now: Instant) {
    self.configuration = configuration
    self.now = now
    controls = []
    controls = configuration.controls.enumerated().map { index, settings in
      Control(settings, id: ControlID(index), sequence: nextSequence(), at: now)
    }
  }

  /// When the engine wants to be called next, even if nothing happens; nil: only with an input.
  package var deadline: Instant? { controls.lazy.compactMap(\.deadline).min() }

  package func control(named name: String) -> ControlID? {
    configuration.controls.firstIndex { $0.name == name }.map { ControlID($0) }
  }

  package subscript(_ id: ControlID) -> ControlState { controls[id.rawValue].published }

  /// Moves time forward to `instant`, firing every deadline on the way at its own instant, and then applies
  /// `input`. A deadline at `instant` precedes the input. Time never runs backwards: an earlier `instant` is
  /// taken as the present one.
  package mutating func advance(to instant: Instant, applying input: Input? = nil) -> [Effect] {
    var effects: [Effect] = []
    while let due = deadline, due <= instant {
      now = max(now, due)
      for index in controls.indices where controls[index].deadline == due {
        controls[index].fire(at: due)
        publish(index, into: &effects)
      }
    }
    now = max(now, instant)
    if let input { apply(input, into: &effects) }
    return effects
  }

  private mutating func apply(_ input: Input, into effects: inout [Effect]) {
    switch input {
    case .deviceAdded(let id, let capabilities):
      devices[id] = ConnectedDevice(capabilities, in: configuration)
      updateLiveness(into: &effects)
    case .deviceRemoved(let id):
      release(into: &effects) { $0.device == id }
      devices[id] = nil
      updateLiveness(into: &effects)
    case .frame(let id, let events):
      read(events, from: id, into: &effects)
    case .resynchronized(let id, let events, let keysDown):
      devices[id]?.forget()
      release(into: &effects) { $0.device == id && !keysDown.contains($0.usage) }
      read(events, from: id, into: &effects)
    case .set(let id, let value, let clamps, let ifSequence):
      set(id, value, clamps: clamps, ifSequence: ifSequence, into: &effects)
    case .step(let id, let count, let unit):
      guard controls.indices.contains(id.rawValue) else { break }
      let applied = controls[id.rawValue].move(by: count, unit, origin: .client)
      publish(id.rawValue, waiting: false, into: &effects)
      effects.append(.applied(id, steps: applied))
    case .reset(let id):
      guard controls.indices.contains(id.rawValue) else { break }
      controls[id.rawValue].reset(origin: .client)
      publish(id.rawValue, waiting: false, into: &effects)
    case .restored(let id, let value):
      guard controls.indices.contains(id.rawValue) else { break }
      controls[id.rawValue].set(value, origin: .restored)
      publish(id.rawValue, into: &effects)
    case .configured(let configuration):
      configure(configuration, into: &effects)
    case .everythingReleased:
      release(into: &effects) { _ in true }
    case .timeSkipped(let duration):
      for index in controls.indices { controls[index].skip(duration) }
    }
  }

  // MARK: Devices

  private mutating func read(_ events: [EvdevEvent], from id: DeviceNumber, into effects: inout [Effect]) {
    guard var device = devices[id] else { return }
    var touched: Set<Int> = []
    for event in events {
      for route in device.routes(of: event.usage) {
        apply(event, from: id, device, to: route)
        touched.insert(route.control)
      }
    }
    for (routes, turn) in device.turns(in: events, at: now) {
      for route in routes {
        controls[route.control].turn(turn, curve: device.settings.acceleration, at: now)
        touched.insert(route.control)
      }
    }
    devices[id] = device
    for index in touched.sorted() { publish(index, into: &effects) }
  }

  private mutating func apply(
    _ event: EvdevEvent, from id: DeviceNumber, _ device: ConnectedDevice, to route: ConnectedDevice.Route
  ) {
    let source = HoldSource(device: id, usage: event.usage)
    switch (route.action, event.value) {
    case (.step(let direction, let unit), 1):
      controls[route.control].press(source, direction, unit, at: now)
    case (.push(let actions), 1):
      controls[route.control].pushDown(source, actions, at: now)
    case (.step, 0), (.push, 0):
      controls[route.control].release(source)
    case (.absolute, let position):
      guard let travel = device.capabilities.axisRanges[event.usage.code] else { break }
      controls[route.control].slide(
        to: position, of: travel, inverted: device.settings.isInverted, at: now)
    case (.step, _), (.push, _), (.rotate, _):
      // The kernel's own autorepeat (value 2) means "still held"; axes are read by the frame.
      break
    }
  }

  private mutating func release(into effects: inout [Effect], where isGone: (HoldSource) -> Bool) {
    for index in controls.indices {
      controls[index].release(where: isGone)
      publish(index, into: &effects)
    }
  }

  private mutating func updateLiveness(into effects: inout [Effect]) {
    var driven: Set<Int> = []
    for device in devices.values { driven.formUnion(device.drivenControls) }
    for index in controls.indices {
      controls[index].isLive = driven.contains(index)
      if !controls[index].isLive { controls[index].endTurn() }
      publish(index, into: &effects)
    }
  }

  // MARK: Clients

  private mutating func set(
    _ id: ControlID, _ value: FixedPoint, clamps: Bool, ifSequence: Int64?, into effects: inout [Effect]
  ) {
    let index = id.rawValue
    guard controls.indices.contains(index) else { return }
    let sequence = controls[index].published.sequence
    if let ifSequence, ifSequence != sequence {
      effects.append(.refuse(id, .changed(sequence: sequence)))
    } else if !clamps, !controls[index].holds(value) {
      effects.append(.refuse(id, .outOfRange(value)))
    } else {
      controls[index].set(value, origin: .client)
      publish(index, waiting: false, into: &effects)
    }
  }

  // MARK: Configuration

  private mutating func configure(_ configuration: EngineConfiguration, into effects: inout [Effect]) {
    let former = Dictionary(controls.map { ($0.settings.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.configuration = configuration
    for id in devices.keys { devices[id]?.reconfigure(configuration) }
    let devices = devices
    controls = configuration.controls.enumerated().map { index, settings in
      guard var control = former[settings.name] else {
        return Control(settings, id: ControlID(index), sequence: nextSequence(), at: now)
      }
      control.reconfigure(settings, id: ControlID(index)) { source in
        devices[source.device]?.routes(of: source.usage).contains { $0.control == index } ?? false
      }
      return control
    }
    updateLiveness(into: &effects)
  }

  // MARK: What is told

  private mutating func publish(_ index: Int, waiting: Bool = true, into effects: inout [Effect]) {
    guard let state = controls[index].publish(sequence: sequence + 1, at: now, waiting: waiting) else {
      return
    }
    sequence += 1
    effects.append(.publish(state))
  }

  private mutating func nextSequence() -> Int64 {
    sequence += 1
    return sequence
  }
}
