/// A device that is connected: its settings, where its events go, and the memory of its axes.
struct ConnectedDevice: Hashable, Sendable {
  let capabilities: DeviceCapabilities
  private var settings: DeviceSettings
  private var routes: [EvdevUsage: [Route]] = [:]
  /// Of ``routes`` those in force with the ``heldModifiers``.
  private var active: [EvdevUsage: [Route]] = [:]
  /// In the order of their codes.
  private(set) var relativeAxes: [RelativeAxis] = []
  private var faderAxes: [EvdevUsage: FaderAxis] = [:]
  /// Positions of absolute axes, as last reported, by code.
  private var reports: [UInt16: Int32]
  /// Buttons that modify other inputs while they are held.
  private var modifiers: Set<EvdevUsage> = []
  private var heldModifiers: Set<EvdevUsage> = []

  /// One control that a usage drives.
  struct Route: Hashable, Sendable {
    /// Index of the control.
    var control: Int
    var action: Binding.Action
    var multiplier: Int64
    var modifier: EvdevUsage?
    var feedback: FeedbackEffect?
  }

  init(_ capabilities: DeviceCapabilities, in configuration: EngineConfiguration) {
    self.capabilities = capabilities
    reports = capabilities.axisPositions
    settings = DeviceSettings(name: capabilities.settingsName)
    reconfigure(configuration)
  }

  /// Applies a configuration to its routes. Axes that remain in use keep their state.
  mutating func reconfigure(_ configuration: EngineConfiguration) {
    let name = capabilities.settingsName
    settings = configuration.devices.first { $0.name == name } ?? DeviceSettings(name: name)
    routes = [:]
    for (index, control) in configuration.controls.enumerated() {
      for binding in control.bindings where binding.input.device == name {
        let route = Route(
          control: index, action: binding.action, multiplier: max(binding.multiplier, 1),
          modifier: binding.modifier, feedback: binding.feedback)
        routes[binding.input.usage.coarse, default: []].append(route)
      }
    }
    relativeAxes = routes.keys.filter(\.isRelative).sorted { $0.code < $1.code }.map { usage in
      relativeAxes.first { $0.usage == usage } ?? RelativeAxis(usage, of: capabilities)
    }
    modifiers = Set(routes.values.joined().compactMap(\.modifier))
    hold(heldModifiers.intersection(modifiers))
    faderAxes = [:]
    for usage in routes.keys where usage.isAbsolute {
      faderAxes[usage] = FaderAxis(
        capabilities.axisRanges[usage.code], settings.axes[usage.code] ?? AxisSettings(),
        deviceIsInverted: settings.isInverted)
    }
  }

  /// Everything that a usage drives, whatever modifiers are held.
  func routes(of usage: EvdevUsage) -> [Route] { routes[usage] ?? [] }

  /// The present routes of a usage: while a modifier is held, only those with this modifier.
  func activeRoutes(of usage: EvdevUsage) -> [Route] { active[usage] ?? [] }

  /// A button went down or up, or was found to be.
  mutating func noteModifier(_ usage: EvdevUsage, isDown: Bool) {
    guard modifiers.contains(usage), heldModifiers.contains(usage) != isDown else { return }
    hold(isDown ? heldModifiers.union([usage]) : heldModifiers.subtracting([usage]))
  }

  /// All buttons are up.
  mutating func releaseModifiers() { hold([]) }

  /// Which buttons are really down.
  mutating func resynchronize(keysDown: Set<EvdevUsage>) {
    relativeAxes = relativeAxes.map { RelativeAxis($0.usage, of: capabilities) }
    hold(modifiers.intersection(keysDown))
  }

  private mutating func hold(_ modifiers: Set<EvdevUsage>) {
    heldModifiers = modifiers
    active = routes.mapValues { routes in
      let modified = routes.filter { $0.modifier.map(modifiers.contains) ?? false }
      return modified.isEmpty ? routes.filter { $0.modifier == nil } : modified
    }
  }

  /// How a fast turn counts; nil: a detent is one step.
  var acceleration: AccelerationCurve? { settings.acceleration }

  /// The movement of one of the ``relativeAxes`` in a frame; nil if it completes no detent.
  mutating func turn(ofAxis index: Int, in events: EvdevEvents, at now: Instant) -> RelativeAxis.Turn? {
    relativeAxes[index].read(events, settings: settings, at: now)
  }

  /// The position of an absolute axis after a report; nil if it is unchanged.
  mutating func position(of usage: EvdevUsage, _ report: Int32) -> FaderAxis.Position? {
    reports[usage.code] = report
    return faderAxes[usage]?.read(report)
  }

  /// Known positions of its absolute axes, and the controls that they drive.
  var positions: [(usage: EvdevUsage, routes: [Route], position: FaderAxis.Position)] {
    faderAxes.compactMap { usage, axis in
      var axis = axis
      guard let report = reports[usage.code], let position = axis.read(report) else { return nil }
      return (usage, routes(of: usage), position)
    }
  }

  /// The controls it drives with a usage that it really has.
  var drivenControls: Set<Int> {
    var result: Set<Int> = []
    for (usage, routes) in routes where capabilities.has(usage) { result.formUnion(routes.map(\.control)) }
    return result
  }
}

extension DeviceCapabilities {
  func has(_ usage: EvdevUsage) -> Bool {
    usages.contains(usage) || usage.highResolution.map(usages.contains) ?? false
  }
}
