/// A device that is connected: its settings, where its events go, and the memory of its axes.
struct ConnectedDevice: Hashable, Sendable {
  let capabilities: DeviceCapabilities
  private(set) var settings: DeviceSettings
  private var routes: [EvdevUsage: [Route]] = [:]
  private var axes: [EvdevUsage: RelativeAxis] = [:]

  /// One control that a usage drives.
  struct Route: Hashable, Sendable {
    /// Its place among the controls.
    var control: Int
    var action: Binding.Action
  }

  init(_ capabilities: DeviceCapabilities, in configuration: EngineConfiguration) {
    self.capabilities = capabilities
    settings = DeviceSettings(name: capabilities.settingsName)
    reconfigure(configuration)
  }

  /// Where its events go from now on. Axes that are still in use keep their memory.
  mutating func reconfigure(_ configuration: EngineConfiguration) {
    let name = capabilities.settingsName
    settings = configuration.devices.first { $0.name == name } ?? DeviceSettings(name: name)
    routes = [:]
    for (index, control) in configuration.controls.enumerated() {
      for binding in control.bindings where binding.input.device == name {
        let route = Route(control: index, action: binding.action)
        routes[binding.input.usage.coarse, default: []].append(route)
      }
    }
    let used = routes.keys.filter(\.isRelative)
    axes = Dictionary(
      uniqueKeysWithValues: used.map { ($0, axes[$0] ?? RelativeAxis($0, of: capabilities)) })
  }

  func routes(of usage: EvdevUsage) -> [Route] { routes[usage] ?? [] }

  /// The controls it drives with a usage that it really has.
  var drivenControls: Set<Int> {
    var result: Set<Int> = []
    for (usage, routes) in routes where capabilities.has(usage) { result.formUnion(routes.map(\.control)) }
    return result
  }

  /// What a frame did to its relative axes, in the order of their codes.
  mutating func turns(in events: [EvdevEvent], at now: Instant) -> [(
    routes: [Route], turn: RelativeAxis.Turn
  )] {
    guard events.contains(where: \.usage.isRelative) else { return [] }
    return axes.keys.sorted { $0.code < $1.code }.compactMap { usage in
      guard let turn = axes[usage]?.read(events, settings: settings, at: now) else { return nil }
      return (routes(of: usage), turn)
    }
  }

  /// Forgets what its axes had gathered: events are missing.
  mutating func forget() {
    axes = Dictionary(uniqueKeysWithValues: axes.keys.map { ($0, RelativeAxis($0, of: capabilities)) })
  }
}

extension DeviceCapabilities {
  func has(_ usage: EvdevUsage) -> Bool {
    usages.contains(usage) || usage.highResolution.map(usages.contains) ?? false
  }
}
