import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperLinux

/// The orders for attached devices, until they are passed to the clients that follow them.
struct DeviceOrders {
  /// An order whose content is looked up when it is sent, because only the latest content counts.
  enum Level: Hashable {
    case matched
    case light(String)
    case position(output: String)
    case detents(output: String)
    case text(output: String)
  }

  /// The levels of devices, each once, in the order in which they were noted.
  struct Levels {
    struct Element: Hashable {
      let handle: String
      let level: Level
    }

    private(set) var elements: [Element] = []
    private var known: Set<Element> = []

    var isEmpty: Bool { elements.isEmpty }

    mutating func insert(_ level: Level, of handle: String) {
      let element = Element(handle: handle, level: level)
      if known.insert(element).inserted { elements.append(element) }
    }

    mutating func removeAll(of handle: String) {
      elements.removeAll { $0.handle == handle }
      known = Set(elements)
    }

    mutating func take() -> [Element] {
      defer { self = Self() }
      return elements
    }
  }

  private(set) var levels = Levels()
  private(set) var effects: [ProviderInterface.Order] = []
  /// Handles of devices that were detached.
  private(set) var ended: [String] = []

  var isEmpty: Bool { levels.isEmpty && effects.isEmpty && ended.isEmpty }

  mutating func note(_ level: Level, of handle: String) { levels.insert(level, of: handle) }

  mutating func note(_ order: ProvidedOutputs.Order, of handle: String) {
    switch order {
    case .light(let name): note(Level.light(name), of: handle)
    case .effect(let effect, let strength, let output):
      effects.append(
        ProviderInterface.Order(
          handle: handle,
          effect: .init(
            output: output, effect: ProviderInterface.Effect(rawValue: effect.rawValue) ?? .light,
            strength: strength)))
    }
  }

  mutating func noteEnd(of handle: String) { ended.append(handle) }
}

extension Devices {
  /// Collects the orders of the outputs of an attached device. Call it whenever the outputs may have got orders.
  func collectOrders(of entry: DeviceEntry) {
    guard let device = entry.provided, let handle = device.owner?.handle else { return }
    for order in device.outputs.takeOrders() { orders.note(order, of: handle) }
  }

  /// The orders since the last call.
  func takeOrders() -> DeviceOrders {
    defer { orders = DeviceOrders() }
    return orders
  }

  /// The lights of a device whose brightness is known.
  func litLights(of device: ProvidedDevice) -> [String] {
    device.lights.filter { device.outputs.brightness(of: $0) != nil }
  }

  /// All levels of a device whose content is known.
  func levels(of handle: String) -> [DeviceOrders.Level] {
    guard let device = attached(handle)?.provided else { return [] }
    let lights = litLights(of: device)
    let motors = device.motors.filter(\.isAsOrdered)
    let knobs = device.knobs.filter { $0.ordered != nil }
    let displays = device.displays.filter { $0.shown != nil }
    return [.matched] + lights.map { .light($0) } + motors.map { .position(output: $0.output) }
      + knobs.map { .detents(output: $0.output) } + displays.map { .text(output: $0.output) }
  }

  /// The order of a level with its present content; nil: the device is detached, or there is no content.
  func order(_ level: DeviceOrders.Level, of handle: String) -> ProviderInterface.Order? {
    guard let entry = attached(handle), let device = entry.provided else { return nil }
    switch level {
    case .matched:
      return ProviderInterface.Order(
        handle: handle, matched: .init(device: entry.name, table: entry.table))
    case .light(let name):
      return device.outputs.brightness(of: name).map {
        ProviderInterface.Order(handle: handle, light: .init(output: name, brightness: $0))
      }
    case .position(let output):
      guard let motor = device.motors.first(where: { $0.output == output }), let report = motor.ordered,
        let axis = device.axes[motor.usage.code]
      else { return nil }
      let (travel, way) = (Double(axis.maximum) - Double(axis.minimum), Double(report) - Double(axis.minimum))
      return ProviderInterface.Order(
        handle: handle,
        position: .init(output: output, axis: motor.axis, position: min(max(way / travel, 0), 1)))
    case .detents(let output):
      guard let knob = device.knobs.first(where: { $0.output == output }), let detents = knob.present else {
        return nil
      }
      return ProviderInterface.Order(
        handle: handle,
        detents: .init(
          output: output, axis: knob.axis, position: detents.position, minimum: detents.minimum,
          maximum: detents.maximum, wraps: detents.wraps, strength: device.outputs.gain))
    case .text(let output):
      return device.displays.first { $0.output == output }?.shown.map {
        ProviderInterface.Order(handle: handle, text: $0)
      }
    }
  }

  // MARK: Controls that outputs follow

  /// Call it when a control that outputs follow may have changed.
  func noteFollowing() { hasFollowing = !followers.isEmpty || !hapticEntries.isEmpty }

  /// Gives an order to each output that does not match the control that its input drives. Returns when to call it
  /// again; nil: not before something changes.
  func followControls() -> Instant? {
    hasFollowing = false
    orderDetents()
    var next: Instant?
    var texts: [ControlID: ProviderInterface.Text] = [:]
    for handle in followers {
      guard let (device, entry) = attachments[handle], let id = entry.id else { continue }
      for index in device.motors.indices {
        let level = DeviceOrders.Level.position(output: device.motors[index].output)
        note(decideMotor(index, of: device, id), level, of: handle, until: &next)
      }
      for index in device.knobs.indices {
        let target = world.engine.detents(of: device.knobs[index].usage, of: id)
        let level = DeviceOrders.Level.detents(output: device.knobs[index].output)
        note(device.knobs[index].decide(target, at: now), level, of: handle, until: &next)
      }
      for index in device.displays.indices where updateDisplay(index, of: device, id, &texts) {
        orders.note(.text(output: device.displays[index].output), of: handle)
      }
    }
    return next
  }

  private func note(
    _ decision: Motor.Decision, _ level: DeviceOrders.Level, of handle: String, until next: inout Instant?
  ) {
    switch decision {
    case .nothing: break
    case .order: orders.note(level, of: handle)
    case .wait(let time): next = .earliest(next, time)
    }
  }

  private func decideMotor(_ index: Int, of device: ProvidedDevice, _ id: DeviceNumber) -> Motor.Decision {
    let motor = device.motors[index]
    let target = world.engine.target(of: motor.usage, of: id)
    let isForeign =
      target.map { target in
        let state = world.state(of: target.control)
        return !(state.origin == .device && state.device == id)
          && motor.moved.map { state.time >= $0 } ?? true
      } ?? true
    let isTouched = motor.touch.map(device.keysDown.contains) ?? false
    return device.motors[index].decide(target?.report, isForeign: isForeign, isTouched: isTouched, at: now)
  }

  /// Returns whether the display must show a new text. `texts` caches the texts of controls for several outputs.
  private func updateDisplay(
    _ index: Int, of device: ProvidedDevice, _ id: DeviceNumber,
    _ texts: inout [ControlID: ProviderInterface.Text]
  ) -> Bool {
    let output = device.displays[index].output
    let control = world.engine.control(drivenBy: device.displays[index].usage, of: id)
    let source = Display.Source(
      control: control, sequence: control.map { world.state(of: $0).sequence } ?? 0, instance: world.instance)
    return device.displays[index].update(source) {
      guard let control else { return .init(output: output, title: "", limit: .none) }
      var text = texts[control] ?? self.text(of: control)
      texts[control] = text
      text.output = output
      return text
    }
  }

  /// The text that outputs show of a control.
  private func text(of control: ControlID) -> ProviderInterface.Text {
    let state = world.wireState(of: control)
    let description = world.description(of: control, isWritable: false)
    let shown = description.shown(state, in: [])
    return .init(
      output: "", control: state.control, title: description.title ?? state.control, value: shown?.value,
      unit: shown?.unit, limit: .init(rawValue: state.limit.rawValue) ?? .none)
  }
}
